import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Strategy } from '../registry/index.js';
export function strategyOf(_group: string, _resource: string): Strategy { return {}; }
export function subresourceStrategyOf(_group: string, _resource: string, _subresource: string): Strategy | undefined { return {}; }
export function scaleSelectorOf(_object: Readonly<KubernetesObject>): string { return ''; }

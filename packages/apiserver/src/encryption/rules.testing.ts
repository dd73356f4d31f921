import type { TransformationObserver } from '../transformers/index.js';
import type { ProviderRules } from './read-configuration.js';
import { type ResourceTransformer, ResourceTransformers } from './resource-transformers.js';

/** A provider with keys of these names; the first letter of a name is the key. */
export function keys(type: 'aesgcm' | 'aescbc' | 'secretbox', ...names: readonly string[]): ProviderRules {
  return { type, keys: names.map((name) => ({ name, secret: new Uint8Array(32).fill(name.charCodeAt(0)) })) };
}

export const plain: ProviderRules = { type: 'identity' };

const unobserved: TransformationObserver = { transformed: () => undefined };

/** The transformer of ConfigMaps with these providers; without any, they are not encrypted. */
export function configMapTransformer(
  providers: readonly ProviderRules[],
  observer: TransformationObserver = unobserved,
): ResourceTransformer {
  const rules = providers.length === 0 ? [] : [{ resources: ['configmaps'], providers }];
  const kms = (): never => {
    throw new Error('no key service in this test');
  };
  const transformers = new ResourceTransformers(rules, { kms, observer, clock: { monotonic: () => 0 } });
  return transformers.of({ group: '', resource: 'configmaps' });
}

import { resources } from '@binnacle/api/table';
import { LabelSelectorError, labelSelectorFromMap, labelSelectorFromObject } from '@binnacle/apimachinery/labels';
import { formatGroupResource, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { isObject } from '@binnacle/apimachinery/json';
import { validateFinalizerDomains } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { kind } from './kind.js';
import { statusStrategy } from './status.js';
import { strategies, subresourceStrategies } from './table.js';

/** For a kind of which only the metadata is known. */
const metadataRules = {
  validate: () => [],
  validateUpdate: ({ metadata }: KubernetesObject) =>
    validateFinalizerDomains(metadata.finalizers, 'metadata.finalizers'),
};
const generic = kind<KubernetesObject>(metadataRules);
const genericWithStatus = kind<KubernetesObject>({ ...metadataRules, status: true });
const genericStatus = statusStrategy();

/** The rules of a resource; the generic ones if it has none of its own. */
export function strategyOf(group: string, resource: string): Strategy {
  const own = strategies.get(formatGroupResource({ group, resource }));
  if (own !== undefined) return own;
  const hasStatus = resources().some(
    (facts) =>
      facts.group === group &&
      facts.resource === resource &&
      facts.subresources?.some((subresource) => subresource.name === 'status') === true,
  );
  return hasStatus ? genericWithStatus : generic;
}

/**
 * The rules of a subresource; undefined if it writes by the resource's rules, like `scale`, which changes the spec
 * and so the generation. Whether an update needs a resourceVersion depends only on the resource.
 */
export function subresourceStrategyOf(group: string, resource: string, subresource: string): Strategy | undefined {
  const own = subresourceStrategies.get(`${formatGroupResource({ group, resource })}/${subresource}`);
  const rules = own ?? (subresource === 'status' ? genericStatus : undefined);
  const { allowUnconditionalUpdate } = strategyOf(group, resource);
  return rules === undefined || allowUnconditionalUpdate === undefined ? rules : { ...rules, allowUnconditionalUpdate };
}

/** The selector of a workload as text, for its scale. ReplicationControllers have a plain map. */
export function scaleSelectorOf(object: Readonly<KubernetesObject>): string {
  const spec = object['spec'];
  const selector = isObject(spec) ? spec['selector'] : undefined;
  if (!isObject(selector)) return '';
  try {
    if (object.kind === 'ReplicationController')
      return labelSelectorFromMap(selector as Record<string, string>).toString();
    return labelSelectorFromObject(selector).toString();
  } catch (error) {
    if (error instanceof LabelSelectorError) return '';
    throw error;
  }
}

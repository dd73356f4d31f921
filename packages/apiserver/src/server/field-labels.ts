import { defaultFieldLabels, fieldLabelNotSupported, type FieldLabels } from '@binnacle/apimachinery/fields';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Strategy } from '../registry/index.js';

/** The field selectors that a kind knows: name and namespace, and what its strategy adds. */
export function fieldLabelsOf(strategy: Strategy): FieldLabels {
  const names = strategy.selectableFieldNames;
  if (names === undefined) return defaultFieldLabels;
  return { supported: [...defaultFieldLabels.supported, ...names], unsupported: fieldLabelNotSupported };
}

/** What selectors see of an object. */
export function selectableFieldsOf(strategy: Strategy) {
  return (object: Readonly<KubernetesObject>): Record<string, string> => ({
    ...strategy.selectableFields?.(object),
    'metadata.name': object.metadata.name ?? '',
    'metadata.namespace': object.metadata.namespace ?? '',
  });
}

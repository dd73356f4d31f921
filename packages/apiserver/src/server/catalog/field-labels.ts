import { defaultFieldLabels, fieldLabelNotSupported, type FieldLabels } from '@binnacle/apimachinery/fields';
import type { GroupVersionKind, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Strategy } from '../../registry/index.js';

/**
 * The field selectors of a kind: name and namespace, and those of its strategy. Only kinds without labels of their own accept
 * the namespace of what is in none.
 */
export function fieldLabelsOf(
  strategy: Strategy,
  kind: GroupVersionKind & { readonly namespaced: boolean },
): FieldLabels {
  const { fieldLabels: fields, unsupportedFieldLabel = fieldLabelNotSupported } = strategy;
  const names = fields === undefined ? strategy.selectableFieldNames : [...fields.keys()];
  if (names === undefined) return defaultFieldLabels;
  const supported = ['metadata.name', ...(kind.namespaced ? ['metadata.namespace'] : []), ...names];
  return {
    supported,
    unsupported: (label) => unsupportedFieldLabel(label, kind),
    ...(fields === undefined ? {} : { fields }),
  };
}

/** The values that selectors see of an object, and the paths they come from. */
export function selectionOf(strategy: Strategy) {
  const paths = strategy.selectableFields === undefined ? [] : strategy.selectablePaths;
  return {
    selectableFields: (object: Readonly<KubernetesObject>): Record<string, string> => ({
      'metadata.name': object.metadata.name ?? '',
      'metadata.namespace': object.metadata.namespace ?? '',
      ...strategy.selectableFields?.(object),
    }),
    selectablePaths: paths && ['metadata.name', 'metadata.namespace', ...paths],
  };
}

import { defaultFieldLabels, fieldLabelNotSupported, type FieldLabels } from '@binnacle/apimachinery/fields';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Strategy } from '../../registry/index.js';

/** The field selectors of a kind: name and namespace, and those of its strategy. */
export function fieldLabelsOf(strategy: Strategy): FieldLabels {
  const { fieldLabels: fields } = strategy;
  const names = fields === undefined ? strategy.selectableFieldNames : [...fields.keys()];
  if (names === undefined) return defaultFieldLabels;
  const supported = [...defaultFieldLabels.supported, ...names];
  return { supported, unsupported: fieldLabelNotSupported, ...(fields === undefined ? {} : { fields }) };
}

/** The values that selectors see of an object, and the paths they come from. */
export function selectionOf(strategy: Strategy) {
  const paths = strategy.selectableFields === undefined ? [] : strategy.selectablePaths;
  return {
    selectableFields: (object: Readonly<KubernetesObject>): Record<string, string> => ({
      ...strategy.selectableFields?.(object),
      'metadata.name': object.metadata.name ?? '',
      'metadata.namespace': object.metadata.namespace ?? '',
    }),
    selectablePaths: paths && ['metadata.name', 'metadata.namespace', ...paths],
  };
}

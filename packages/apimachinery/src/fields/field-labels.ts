import { quoteGo } from '../status/index.js';
import { FieldSelectorError } from './error.js';
import { type FieldRequirement, FieldSelector } from './selector.js';

/** The fields by which objects of one kind can be selected. */
export interface FieldLabels {
  readonly supported: readonly string[];
  /** Older names of supported fields, e.g. `spec.host` of pods. */
  readonly aliases?: ReadonlyMap<string, string>;
  /** The message for any other field; most kinds with rules of their own say {@link fieldLabelNotSupported}. */
  readonly unsupported: (field: string) => string;
}

/** What every kind without rules of its own supports. Upstream: apimachinery `runtime.DefaultMetaV1FieldSelectorConversion`. */
export const defaultFieldLabels: FieldLabels = {
  supported: ['metadata.name', 'metadata.namespace'],
  unsupported: (field) => `${quoteGo(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
};

export function fieldLabelNotSupported(field: string): string {
  return `field label not supported: ${field}`;
}

/** The same selector in the kind's own field names. Throws a {@link FieldSelectorError} at the first field it does not know. */
export function validateFieldLabels(selector: FieldSelector, labels: FieldLabels = defaultFieldLabels): FieldSelector {
  const requirements: FieldRequirement[] = selector.requirements.map((requirement) => {
    const field = labels.aliases?.get(requirement.field) ?? requirement.field;
    if (!labels.supported.includes(field)) throw new FieldSelectorError(labels.unsupported(requirement.field));
    return { ...requirement, field };
  });
  return new FieldSelector(requirements);
}

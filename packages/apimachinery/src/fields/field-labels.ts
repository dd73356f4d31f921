import { quoteGo } from '../status/index.js';
import { FieldSelectorError } from './error.js';
import { type FieldRequirement, FieldSelector } from './selector.js';

/** The fields by which objects of one kind can be selected. */
export interface FieldLabels {
  /** The labels that selectors may name. */
  readonly supported: readonly string[];
  /** What a label is called in the fields of objects, where that is another name: `regarding.name` is `involvedObject.name`. */
  readonly fields?: ReadonlyMap<string, string>;
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

/** The same selector in the names of the fields. Throws a {@link FieldSelectorError} at the first field it does not know. */
export function validateFieldLabels(selector: FieldSelector, labels: FieldLabels = defaultFieldLabels): FieldSelector {
  const requirements: FieldRequirement[] = selector.requirements.map((requirement) => {
    const label = requirement.field;
    if (!labels.supported.includes(label)) throw new FieldSelectorError(labels.unsupported(label));
    return { ...requirement, field: labels.fields?.get(label) ?? label };
  });
  return new FieldSelector(requirements);
}

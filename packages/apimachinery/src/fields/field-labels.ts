import { quoteGo } from '../status/index.js';
import { FieldSelectorError } from './error.js';
import { type FieldRequirement, FieldSelector } from './selector.js';

/** The field labels by which objects of a kind can be selected. */
export interface FieldLabels {
  /** The labels that selectors may use. */
  readonly supported: readonly string[];
  /** The field names of labels that differ from them: `regarding.name` is `involvedObject.name`. */
  readonly fields?: ReadonlyMap<string, string>;
  /** The message for an unsupported field; most kinds with their own labels use {@link fieldLabelNotSupported}. */
  readonly unsupported: (field: string) => string;
}

/** The labels of every kind without its own. Upstream: apimachinery `runtime.DefaultMetaV1FieldSelectorConversion`. */
export const defaultFieldLabels: FieldLabels = {
  supported: ['metadata.name', 'metadata.namespace'],
  unsupported: (field) => `${quoteGo(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
};

export function fieldLabelNotSupported(field: string): string {
  return `field label not supported: ${field}`;
}

/** Translates labels to field names. Throws a {@link FieldSelectorError} for the first unsupported label. */
export function validateFieldLabels(selector: FieldSelector, labels: FieldLabels = defaultFieldLabels): FieldSelector {
  const requirements: FieldRequirement[] = selector.requirements.map((requirement) => {
    const label = requirement.field;
    if (!labels.supported.includes(label)) throw new FieldSelectorError(labels.unsupported(label));
    return { ...requirement, field: labels.fields?.get(label) ?? label };
  });
  return new FieldSelector(requirements);
}

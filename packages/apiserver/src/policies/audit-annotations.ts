import type { ValidatingAdmissionPolicyBinding } from '@binnacle/api/types/admissionregistration-v1';
import { stringifyJson } from '@binnacle/apimachinery/json';
import type { AdmissionAttributes } from '../admission/index.js';
import type { BindingHook } from './policy-hooks.js';
import type { PolicyDenial } from './validating-policy.js';

const LONGEST_VALUE = 10 * 1024;
const FAILURE_KEY = 'validation.policy.admission.k8s.io/validation_failure';

/** The audit annotations of one policy: different values of a key, from several bindings or parameters, are joined. */
export class AuditAnnotations {
  readonly #policy: string;
  readonly #values = new Map<string, Set<string>>();

  constructor(policy: string) {
    this.#policy = policy;
  }

  add(values: ReadonlyMap<string, string>): void {
    for (const [key, value] of values) {
      const known = this.#values.get(key) ?? new Set();
      this.#values.set(key, known.add(shortened(value)));
    }
  }

  publish(attributes: AdmissionAttributes): void {
    for (const [key, values] of this.#values) attributes.annotate(`${this.#policy}/${key}`, [...values].join(', '));
  }
}

/** Annotates a request with a failed validation, for a binding with the action Audit. */
export function annotateFailure(
  attributes: AdmissionAttributes,
  policy: string,
  { name, binding }: BindingHook<ValidatingAdmissionPolicyBinding>,
  { message, index }: PolicyDenial,
): void {
  const validationActions = [...(binding.spec?.validationActions ?? [])];
  const failure = { message, policy, binding: name, expressionIndex: index, validationActions };
  attributes.annotate(FAILURE_KEY, stringifyJson([failure]));
}

function shortened(value: string): string {
  const bytes = Buffer.from(value);
  return bytes.length <= LONGEST_VALUE ? value : bytes.subarray(0, LONGEST_VALUE).toString();
}

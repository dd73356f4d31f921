import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@binnacle/api/types/admissionregistration-v1';
import type { StatusReason } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes } from '../admission/index.js';
import { annotateFailure, AuditAnnotations } from './audit-annotations.js';
import { type Applied, configurationProblem, type Invocation, PolicyMatching } from './invocations.js';
import { type CheckAction, outcomeOf, type PolicyObservation } from './observer.js';
import { type BindingHook, type PolicyHook, PolicyHooks } from './policy-hooks.js';
import type { PolicySources } from './policy-sources.js';
import { RequestDocuments } from './request-documents.js';
import {
  CompiledValidatingPolicy,
  type IgnoredFailure,
  type PolicyDenial,
  type ValidationResult,
} from './validating-policy.js';

type Hook = PolicyHook<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, CompiledValidatingPolicy>;
type Binding = BindingHook<ValidatingAdmissionPolicyBinding>;

export type ValidationHooks = PolicyHooks<
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  CompiledValidatingPolicy
>;

export function validationHooks(): ValidationHooks {
  return new PolicyHooks((policy) => CompiledValidatingPolicy.compile(policy));
}

/** The state of one request while all policies validate it. */
export class ValidatedRequest {
  readonly matching: PolicyMatching;
  /** The first denial, which the answer shows. */
  denial: { readonly message: string; readonly reason: StatusReason } | undefined;
  readonly #attributes: AdmissionAttributes;
  readonly #documents: RequestDocuments;
  readonly #observation: PolicyObservation;

  constructor(attributes: AdmissionAttributes, sources: PolicySources, observation: PolicyObservation) {
    this.#observation = observation;
    this.#attributes = attributes;
    this.#documents = new RequestDocuments(attributes, sources);
    this.matching = new PolicyMatching(attributes, (name) => this.#documents.namespaceLabels(name), sources);
  }

  async evaluate(hook: Hook, applied: readonly Applied<ValidatingAdmissionPolicyBinding>[]): Promise<void> {
    const ignoresFailures = hook.policy.spec?.failurePolicy === 'Ignore';
    const annotations = new AuditAnnotations(hook.name);
    for (const each of applied) {
      if ('misconfiguration' in each) {
        if (!ignoresFailures) this.#deny(hook, each.binding, each.misconfiguration, 'Invalid');
        continue;
      }
      const result = await this.#validate(hook, each).catch((error: unknown) => {
        this.#attributes.signal.throwIfAborted();
        return configurationProblem(error);
      });
      if (typeof result === 'string') {
        if (!ignoresFailures) this.#deny(hook, each.binding, `failed to configure binding: ${result}`, 'Invalid');
        continue;
      }
      for (const failure of result.ignored) this.#observe(hook, each.binding, 'allow', failure);
      for (const denial of result.denials) this.#obey(hook, each.binding, denial);
      annotations.add(result.annotations);
    }
    annotations.publish(this.#attributes);
  }

  async #validate(
    hook: Hook,
    { seen, params }: Invocation<ValidatingAdmissionPolicyBinding>,
  ): Promise<ValidationResult> {
    const documents = this.#documents;
    const compiled = hook.evaluator();
    const evaluator = compiled instanceof Promise ? await compiled : compiled;
    return evaluator.validate({
      conditions: () => documents.conditionsInput(seen),
      input: () => documents.input(seen),
      params,
      signal: this.#attributes.signal,
      clock: this.#observation.clock,
    });
  }

  /** Does what the binding says about a denial. */
  #obey(hook: Hook, binding: Binding, denial: PolicyDenial): void {
    const { message, reason, always } = denial;
    const actions: readonly string[] = always ? ['Deny'] : (binding.binding.spec?.validationActions ?? []);
    for (const action of actions) {
      if (action === 'Deny') {
        this.#deny(hook, binding, message, reason);
        this.#observe(hook, binding, 'deny', denial);
      } else if (action === 'Warn') {
        const where = `ValidatingAdmissionPolicy '${hook.name}' with binding '${binding.name}'`;
        this.#attributes.warn(`Validation failed for ${where}: ${message}`);
        this.#observe(hook, binding, 'warn', denial);
      } else if (action === 'Audit') {
        annotateFailure(this.#attributes, hook.name, binding, denial);
        this.#observe(hook, binding, 'audit', denial);
      }
    }
  }

  #observe(hook: Hook, binding: Binding, action: CheckAction, { message, seconds }: IgnoredFailure): void {
    const check = { policy: hook.name, binding: binding.name, outcome: outcomeOf(message) };
    this.#observation.observer.validated(check, action, seconds);
  }

  #deny(hook: Hook, binding: Binding | undefined, why: string, reason: StatusReason): void {
    const through = binding === undefined ? '' : ` with binding '${binding.name}'`;
    this.denial ??= { message: `ValidatingAdmissionPolicy '${hook.name}'${through} denied request: ${why}`, reason };
  }
}

import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
} from '@binnacle/api/types/admissionregistration-v1';
import { BudgetExceededError, PatchValueError } from '@binnacle/apimachinery/admission-expressions';
import { joinMessages } from '@binnacle/apimachinery/errors';
import { deepEqual, type JsonObject } from '@binnacle/apimachinery/json';
import { asObject, type GroupVersionKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { serviceUnavailable } from '@binnacle/apimachinery/status';
import { type AdmissionAttributes, type InvocationRounds, replaceObject } from '../admission/index.js';
import { inSlices } from '../slices/index.js';
import type { MutationDenial } from './denial.js';
import { type Invocation, PolicyMatching } from './invocations.js';
import { CompiledMutatingPolicy, type CompiledMutation } from './mutating-policy.js';
import { applyConfiguration, applyJsonPatch, PatchError, refuseUnknownFields } from './patch-document.js';
import { outcomeOf, type PolicyObservation } from './observer.js';
import { type PolicyHook, PolicyHooks } from './policy-hooks.js';
import type { PolicySources } from './policy-sources.js';
import { ConversionError, RequestDocuments } from './request-documents.js';

type Hook = PolicyHook<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, CompiledMutatingPolicy>;

export type MutationHooks = PolicyHooks<
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  CompiledMutatingPolicy
>;

interface HookInvocation extends Invocation<MutatingAdmissionPolicyBinding> {
  readonly hook: Hook;
}

export function mutationHooks(): MutationHooks {
  return new PolicyHooks((policy) => CompiledMutatingPolicy.compile(policy));
}

/** The state of one request while all policies change its object. */
export class MutatedRequest {
  readonly denials: MutationDenial[] = [];
  #mutated = false;
  readonly #attributes: AdmissionAttributes;
  readonly #object: KubernetesObject;
  readonly #sources: PolicySources;
  readonly #documents: RequestDocuments;
  readonly #observation: PolicyObservation;

  constructor(
    attributes: AdmissionAttributes,
    object: KubernetesObject,
    { sources, ...observation }: PolicyObservation & { readonly sources: PolicySources },
  ) {
    this.#attributes = attributes;
    this.#object = object;
    this.#sources = sources;
    this.#observation = observation;
    this.#documents = new RequestDocuments(attributes, sources);
  }

  /**
   * Whether a mutation has succeeded, even one without effect. Then upstream invokes each policy that wants it again,
   * also when only that policy has changed the object.
   */
  get isMutated(): boolean {
    return this.#mutated;
  }

  async invocations(hooks: readonly Hook[]): Promise<readonly HookInvocation[]> {
    const matching = new PolicyMatching(
      this.#attributes,
      (name) => this.#documents.namespaceLabels(name),
      this.#sources,
    );
    const invocations: HookInvocation[] = [];
    for (const hook of hooks) {
      const pending = matching.apply(hook);
      for (const each of pending instanceof Promise ? await pending : pending) {
        if ('misconfiguration' in each) this.#deny(hook, each.binding?.name, each.misconfiguration);
        else invocations.push({ ...each, hook });
      }
    }
    return invocations;
  }

  /** A failure that the failure policy ignores ends only this invocation. */
  async invoke(invocation: HookInvocation, rounds: InvocationRounds): Promise<void> {
    try {
      await this.#invoke(invocation, rounds);
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      this.#deny(invocation.hook, undefined, `failed to configure policy: ${error.reason}`);
    }
  }

  async #invoke(invocation: HookInvocation, rounds: InvocationRounds): Promise<void> {
    const { hook, binding, seen } = invocation;
    const id = `${hook.name}/${binding.name}/${identityOf(invocation.params)}`;
    if (!(await this.#matches(invocation)) || !rounds.includes(id, this.#attributes)) return;
    const before = await this.#documents.object(seen.kind);
    const { mutations } = await hook.evaluator();
    const { clock, observer } = this.#observation;
    for (const mutation of mutations) {
      const start = clock.monotonic();
      let problem: string | undefined;
      try {
        await this.#mutate(mutation, invocation);
        this.#mutated = true;
      } catch (error) {
        problem = mutationProblem(error);
        this.#deny(hook, binding.name, problem, 'Invalid');
      }
      const outcome = problem === undefined ? 'no_error' : outcomeOf(problem);
      observer.mutated({ policy: hook.name, binding: binding.name, outcome }, (clock.monotonic() - start) / 1000);
    }
    const changed = !deepEqual(before, await this.#documents.object(seen.kind));
    const again = hook.policy.spec?.reinvocationPolicy === 'IfNeeded';
    rounds.called(id, { changed, again }, this.#attributes);
  }

  async #matches({ hook, binding, seen, params }: HookInvocation): Promise<boolean> {
    const { conditions, variables } = await hook.evaluator();
    if (conditions.isEmpty) return true;
    const input = await this.#documents.conditionsInput(seen);
    const { signal } = this.#attributes;
    const result = await conditions.evaluate({ input, params, variables, run: (steps) => inSlices(steps, signal) });
    if ('errors' in result) this.#deny(hook, binding.name, joinMessages(result.errors), 'Invalid');
    return result.matches;
  }

  async #mutate(mutation: CompiledMutation, { hook, seen, params }: HookInvocation): Promise<void> {
    const { kind } = seen;
    const schema = this.#sources.schemaOf(kind);
    if (schema === undefined) throw unknownKind(kind);
    const { signal, versions } = this.#attributes;
    const input = await this.#documents.input(seen);
    const evaluator = await hook.evaluator();
    const outcome = await evaluator.evaluate(mutation, { input, params, signal });
    if ('error' in outcome) throw new PatchError(outcome.error);
    const document = (await this.#documents.object(kind)) ?? {};
    const patch = outcome.value;
    const patched =
      patch.kind === 'jsonPatch'
        ? await applyJsonPatch(document, patch.operations)
        : applyConfiguration(document, patch.configuration, kind, schema);
    if (patched === document) return;
    const decoded = await versions.decode(patched, kind, this.#object);
    if (patch.kind === 'jsonPatch') refuseUnknownFields(patched, kind);
    replaceObject(this.#object, decoded);
    this.#documents.changed();
  }

  #deny(hook: Hook, binding: string | undefined, why: string, reason?: MutationDenial['reason']): void {
    if (hook.policy.spec?.failurePolicy === 'Ignore') return;
    const policy =
      binding === undefined ? `policy ${JSON.stringify(hook.name)}` : `policy '${hook.name}' with binding '${binding}'`;
    this.denials.push({ message: `${policy} denied request: ${why}`, reason });
  }
}

function mutationProblem(error: unknown): string {
  if (error instanceof PatchError || error instanceof PatchValueError || error instanceof BudgetExceededError) {
    return error.message;
  }
  throw error;
}

function identityOf(params: JsonObject | undefined): string {
  const { namespace = '', name = '' } = params === undefined ? {} : asObject(params).metadata;
  return `${namespace}/${name}`;
}

function unknownKind(kind: GroupVersionKind): Error {
  const shown = `${kind.group}/${kind.version}, Kind=${kind.kind}`;
  return serviceUnavailable(
    `Resource kind ${shown} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`,
  );
}

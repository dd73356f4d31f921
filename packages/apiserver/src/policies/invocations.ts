import type { JsonObject } from '@binnacle/apimachinery/json';
import { StatusError } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes, NamespaceLabels, RequestMatcher, VersionedResource } from '../admission/index.js';
import { ConfigurationError, parametersOf, parameterSourceOf } from './parameters.js';
import type { BindingHook, Policy, PolicyBinding, PolicyHook } from './policy-hooks.js';
import type { PolicySources } from './policy-sources.js';

/** A policy to evaluate for a request: through one binding, with one parameter. */
export interface Invocation<B extends PolicyBinding> {
  readonly binding: BindingHook<B>;
  readonly seen: VersionedResource;
  readonly params: JsonObject | undefined;
}

/** A policy, or one of its bindings, applies to a request but cannot be evaluated as it is configured. */
export interface Misconfiguration<B extends PolicyBinding> {
  readonly binding: BindingHook<B> | undefined;
  readonly misconfiguration: string;
}

export type Applied<B extends PolicyBinding> = Invocation<B> | Misconfiguration<B>;

/** Finds how policies apply to one request. Upstream: apiserver `policy/generic/policy_dispatcher.go`. */
export class PolicyMatching {
  readonly #attributes: AdmissionAttributes;
  readonly #labelsOf: NamespaceLabels;
  readonly #sources: PolicySources;

  constructor(attributes: AdmissionAttributes, labelsOf: NamespaceLabels, sources: PolicySources) {
    this.#attributes = attributes;
    this.#labelsOf = labelsOf;
    this.#sources = sources;
  }

  /**
   * In the order of the bindings. Returns without a promise for a policy that does not match, and for one without
   * parameters whose bindings match all that it does.
   */
  apply<P extends Policy, B extends PolicyBinding, E>(
    hook: PolicyHook<P, B, E>,
  ): readonly Applied<B>[] | Promise<readonly Applied<B>[]> {
    try {
      const seen = this.#match(hook.matcher);
      if (seen === undefined) return [];
      if (seen instanceof Promise || !hook.isPlain) return this.#bindings(hook, seen);
      return hook.bindings.map((binding) => ({ binding, seen, params: undefined }));
    } catch (error) {
      return [{ binding: undefined, misconfiguration: `failed to configure policy: ${configurationProblem(error)}` }];
    }
  }

  async #bindings<P extends Policy, B extends PolicyBinding, E>(
    hook: PolicyHook<P, B, E>,
    matching: VersionedResource | Promise<VersionedResource | undefined>,
  ): Promise<readonly Applied<B>[]> {
    try {
      const seen = await matching;
      if (seen === undefined) return [];
      const kind = hook.policy.spec?.paramKind;
      const source = kind && parameterSourceOf(kind, this.#sources);
      const applied: Applied<B>[] = [];
      for (const binding of hook.bindings) applied.push(...(await this.#binding(binding, seen, source)));
      return applied;
    } catch (error) {
      return [{ binding: undefined, misconfiguration: `failed to configure policy: ${configurationProblem(error)}` }];
    }
  }

  async #binding<B extends PolicyBinding>(
    binding: BindingHook<B>,
    seen: VersionedResource,
    source: Parameters<typeof parametersOf>[0],
  ): Promise<readonly Applied<B>[]> {
    try {
      const matched = binding.matcher === undefined ? seen : await this.#match(binding.matcher);
      if (matched === undefined) return [];
      const { paramRef } = binding.binding.spec ?? {};
      const parameters = await parametersOf(source, paramRef, this.#attributes.namespace);
      return parameters.map((params) => ({ binding, seen, params }));
    } catch (error) {
      return [{ binding, misconfiguration: `failed to configure binding: ${configurationProblem(error)}` }];
    }
  }

  #match(matcher: RequestMatcher): VersionedResource | undefined | Promise<VersionedResource | undefined> {
    return matcher.match(this.#attributes, this.#labelsOf);
  }
}

/** The words of an error of the configuration. Throws any other error again. */
export function configurationProblem(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof StatusError) return error.message;
  throw error;
}

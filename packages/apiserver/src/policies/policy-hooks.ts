import type { MatchResources, ParamKind, ParamRef } from '@binnacle/api/types/admissionregistration-v1';
import type { Steps } from '@binnacle/apimachinery/work';
import { type AdmissionAttributes, RequestMatcher } from '../admission/index.js';
import { onceInSlices } from '../slices/index.js';

/** The parts that policies of both kinds have in common. */
export interface Policy {
  readonly metadata?: { readonly name?: string | undefined } | undefined;
  readonly spec?:
    | { readonly matchConstraints?: MatchResources | undefined; readonly paramKind?: ParamKind | undefined }
    | undefined;
}

export interface PolicyBinding {
  readonly metadata?: { readonly name?: string | undefined } | undefined;
  readonly spec?:
    | {
        readonly policyName?: string | undefined;
        readonly matchResources?: MatchResources | undefined;
        readonly paramRef?: ParamRef | undefined;
      }
    | undefined;
}

/** A policy with its bindings, and everything that is computed once from them. */
export interface PolicyHook<P extends Policy, B extends PolicyBinding, E> {
  readonly policy: P;
  readonly name: string;
  readonly matcher: RequestMatcher;
  readonly bindings: readonly BindingHook<B>[];
  /** Without parameters, and no binding matches less than the policy. */
  readonly isPlain: boolean;
  /** The compiled policy. Compiles it in slices on first use. */
  readonly evaluator: () => E | Promise<E>;
}

export interface BindingHook<B extends PolicyBinding> {
  readonly binding: B;
  readonly name: string;
  /** Undefined: matches everything that the policy matches. */
  readonly matcher: RequestMatcher | undefined;
}

/** The policies of one kind that have bindings, by name. Joins and compiles them again only when they change. */
export class PolicyHooks<P extends Policy, B extends PolicyBinding, E> {
  readonly #compile: (policy: P) => Steps<E>;
  readonly #compiled = new WeakMap<P, Compiled<E>>();
  readonly #bound = new WeakMap<B, BindingHook<B>>();
  #policies: readonly P[] = [];
  #bindings: readonly B[] = [];
  #hooks: readonly PolicyHook<P, B, E>[] = [];

  constructor(compile: (policy: P) => Steps<E>) {
    this.#compile = compile;
  }

  of(policies: readonly P[], bindings: readonly B[]): readonly PolicyHook<P, B, E>[] {
    if (isSame(policies, this.#policies) && isSame(bindings, this.#bindings)) return this.#hooks;
    this.#policies = policies;
    this.#bindings = bindings;
    this.#hooks = this.#join(policies, bindings);
    return this.#hooks;
  }

  #join(policies: readonly P[], bindings: readonly B[]): PolicyHook<P, B, E>[] {
    const byPolicy = new Map<string, BindingHook<B>[]>();
    for (const binding of bindings.toSorted(byName)) {
      const policyName = binding.spec?.policyName ?? '';
      const known = byPolicy.get(policyName) ?? [];
      byPolicy.set(policyName, known);
      known.push(this.#boundOf(binding));
    }
    return policies.toSorted(byName).flatMap((policy) => {
      const name = nameOf(policy);
      const own = byPolicy.get(name);
      if (own === undefined) return [];
      const isPlain = policy.spec?.paramKind === undefined && own.every(({ matcher }) => matcher === undefined);
      return [{ policy, name, ...this.#compiledOf(policy), bindings: own, isPlain }];
    });
  }

  #compiledOf(policy: P): Compiled<E> {
    let known = this.#compiled.get(policy);
    if (known === undefined) {
      known = {
        matcher: matcherOf(policy.spec?.matchConstraints ?? {}),
        evaluator: onceInSlices(() => this.#compile(policy)),
      };
      this.#compiled.set(policy, known);
    }
    return known;
  }

  #boundOf(binding: B): BindingHook<B> {
    let known = this.#bound.get(binding);
    if (known === undefined) {
      const resources = binding.spec?.matchResources;
      known = { binding, name: nameOf(binding), matcher: resources && matcherOf(resources) };
      this.#bound.set(binding, known);
    }
    return known;
  }
}

/** Whether a policy sees such requests through any binding, for some objects. */
export function mayApply<P extends Policy, B extends PolicyBinding, E>(
  { matcher, bindings }: PolicyHook<P, B, E>,
  attributes: AdmissionAttributes,
): boolean {
  return matcher.mayMatch(attributes) && bindings.some((each) => each.matcher?.mayMatch(attributes) !== false);
}

interface Compiled<E> {
  readonly matcher: RequestMatcher;
  readonly evaluator: () => E | Promise<E>;
}

function matcherOf(resources: MatchResources): RequestMatcher {
  const { resourceRules, excludeResourceRules, namespaceSelector, objectSelector, matchPolicy } = resources;
  return new RequestMatcher({
    rules: resourceRules ?? [],
    excludeRules: excludeResourceRules ?? [],
    namespaceSelector,
    objectSelector,
    matchPolicy,
    withoutRules: 'all',
  });
}

function isSame<T>(left: readonly T[], right: readonly T[]): boolean {
  if (left === right) return true;
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

function nameOf({ metadata }: Policy | PolicyBinding): string {
  return metadata?.name ?? '';
}

function byName(left: Policy | PolicyBinding, right: Policy | PolicyBinding): number {
  return nameOf(left) < nameOf(right) ? -1 : 1;
}

import type { MutatingAdmissionPolicy, Mutation } from '@binnacle/api/types/admissionregistration-v1';
import {
  type AdmissionInput,
  applyConfigurationOf,
  type CompiledExpression,
  compileAdmissionExpressionInSteps,
  Evaluation,
  type ExpressionProblem,
  type ExpressionScope,
  jsonPatchOf,
  MatchConditions,
  type Outcome,
  POLICY_COST,
  PolicyVariables,
  type RunSteps,
} from '@binnacle/apimachinery/admission-expressions';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';
import { inSlices } from '../slices/index.js';

/** What a policy sees of one request, with one parameter. */
export interface MutationInput {
  readonly input: AdmissionInput;
  readonly params: JsonObject | undefined;
  readonly signal: AbortSignal;
}

export interface CompiledMutation {
  readonly kind: Patch['kind'];
  readonly expression: CompiledExpression | ExpressionProblem;
}

/** What an expression of a mutation evaluates to. */
export type Patch =
  | { readonly kind: 'applyConfiguration'; readonly configuration: JsonObject }
  | { readonly kind: 'jsonPatch'; readonly operations: JsonObject[] };

/** A mutating policy, compiled once. Upstream: apiserver `policy/mutating/compilation.go`. */
export class CompiledMutatingPolicy {
  readonly conditions: MatchConditions;
  readonly mutations: readonly CompiledMutation[];
  readonly variables: PolicyVariables;

  private constructor(variables: PolicyVariables, conditions: MatchConditions, mutations: readonly CompiledMutation[]) {
    this.variables = variables;
    this.conditions = conditions;
    this.mutations = mutations;
  }

  /** Yields between two expressions. */
  static *compile({ spec = {} }: MutatingAdmissionPolicy): Steps<CompiledMutatingPolicy> {
    const plain = { params: spec.paramKind !== undefined, authorizer: true };
    const variables = yield* PolicyVariables.compile(plain, spec.variables ?? []);
    const scope = { ...plain, variables: variables.types };
    const conditions = yield* MatchConditions.compile(spec.matchConditions ?? [], scope);
    const patching = { ...scope, patches: true };
    const mutations: CompiledMutation[] = [];
    for (const mutation of spec.mutations ?? []) {
      mutations.push(yield* compile(mutation, patching));
      yield;
    }
    return new CompiledMutatingPolicy(variables, conditions, mutations);
  }

  /** The patch of a mutation, or why it has none. Rejects with `BudgetExceededError` or `PatchValueError`. */
  async evaluate(
    { kind, expression }: CompiledMutation,
    { input, params, signal }: MutationInput,
  ): Promise<Outcome<Patch>> {
    const { variables } = this;
    const run: RunSteps = (steps) => inSlices(steps, signal);
    const evaluation = new Evaluation({ input, params, variables, run, budget: POLICY_COST });
    return evaluation.evaluateAs<Patch>(expression, (value) =>
      kind === 'jsonPatch'
        ? { kind, operations: jsonPatchOf(value) }
        : { kind, configuration: applyConfigurationOf(value) },
    );
  }
}

function* compile(mutation: Mutation, scope: ExpressionScope): Steps<CompiledMutation> {
  const { patchType, jsonPatch, applyConfiguration } = mutation;
  const kind = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
  const source = (kind === 'jsonPatch' ? jsonPatch : applyConfiguration)?.expression ?? '';
  return { kind, expression: yield* compileAdmissionExpressionInSteps(source, kind, scope) };
}

import type { MutatingAdmissionPolicy, Mutation } from '@binnacle/api/types/admissionregistration-v1';
import {
  type AdmissionInput,
  type CompiledExpression,
  compileAdmissionExpression,
  Evaluation,
  type ExpressionProblem,
  type ExpressionScope,
  MatchConditions,
  POLICY_COST,
  PolicyVariables,
  type RunSteps,
} from '@binnacle/apimachinery/admission-expressions';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { inSlices } from '../slices/index.js';

/** What a policy sees of one request, with one parameter. */
export interface MutationInput {
  readonly input: AdmissionInput;
  readonly params: JsonObject | undefined;
  readonly signal: AbortSignal;
}

export interface CompiledMutation {
  readonly kind: 'applyConfiguration' | 'jsonPatch';
  readonly expression: CompiledExpression | ExpressionProblem;
}

/** A mutating policy, compiled once. Upstream: apiserver `policy/mutating/compilation.go`. */
export class CompiledMutatingPolicy {
  readonly conditions: MatchConditions;
  readonly mutations: readonly CompiledMutation[];
  readonly variables: PolicyVariables;

  constructor({ spec = {} }: MutatingAdmissionPolicy) {
    const plain = { params: spec.paramKind !== undefined, authorizer: true };
    this.variables = new PolicyVariables(plain, spec.variables ?? []);
    const scope = { ...plain, variables: this.variables.types };
    this.conditions = new MatchConditions(spec.matchConditions ?? [], scope);
    this.mutations = (spec.mutations ?? []).map((mutation) => compile(mutation, { ...scope, patches: true }));
  }

  /** The value of a mutation, or why it has none. Throws `BudgetExceededError`. */
  evaluate({ expression }: CompiledMutation, { input, params, signal }: MutationInput) {
    const { variables } = this;
    const run: RunSteps = (steps) => inSlices(steps, signal);
    return new Evaluation({ input, params, variables, run, budget: POLICY_COST }).evaluate(expression);
  }
}

function compile({ patchType, jsonPatch, applyConfiguration }: Mutation, scope: ExpressionScope): CompiledMutation {
  const kind = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
  const source = (kind === 'jsonPatch' ? jsonPatch : applyConfiguration)?.expression ?? '';
  return { kind, expression: compileAdmissionExpression(source, kind, scope) };
}

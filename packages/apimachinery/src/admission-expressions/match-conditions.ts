import type { Steps } from '../work/index.js';
import {
  type CompiledExpression,
  compileAdmissionExpressionInSteps,
  type ExpressionProblem,
  isCompiled,
} from './compile.js';
import { BudgetExceededError, Evaluation, type EvaluationOptions } from './evaluation.js';
import type { ExpressionScope } from './scope.js';

/** The cost that all conditions of a webhook, or of a policy for one parameter, may spend for one request. */
const CONDITIONS_COST = 2_500_000;

type Compiled = CompiledExpression | ExpressionProblem;

interface CompiledCondition {
  readonly name: string;
  readonly compiled: Compiled;
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** Whether all conditions hold. `errors`: none is false and these fail, so the failure policy decides. */
export type ConditionsResult =
  | { readonly matches: true }
  | { readonly matches: false; readonly failedCondition: string }
  | { readonly matches: false; readonly errors: readonly string[] };

/** The match conditions of a webhook or policy, compiled once. Upstream: apiserver `webhook/matchconditions`. */
export class MatchConditions {
  readonly #conditions: readonly CompiledCondition[];

  private constructor(conditions: readonly CompiledCondition[]) {
    this.#conditions = conditions;
  }

  /** Condition by condition. Those of webhooks need no scope: they may name `authorizer` and no parameters. */
  static *compile(
    conditions: readonly MatchCondition[],
    scope: ExpressionScope = { authorizer: true },
  ): Steps<MatchConditions> {
    const compiled: CompiledCondition[] = [];
    for (const { name, expression } of conditions) {
      compiled.push({ name, compiled: yield* compileAdmissionExpressionInSteps(expression, 'condition', scope) });
      yield;
    }
    return new MatchConditions(compiled);
  }

  /** Whether any condition reads the given variable, such as `authorizer`. */
  reads(variable: string): boolean {
    return this.#conditions.some(({ compiled }) => isCompiled(compiled) && compiled.names.has(variable));
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  /** The first false condition ends the evaluation. */
  async evaluate(options: Omit<EvaluationOptions, 'budget'>): Promise<ConditionsResult> {
    const evaluation = new Evaluation({ ...options, budget: CONDITIONS_COST });
    const errors: string[] = [];
    try {
      for (const { name, compiled } of this.#conditions) {
        const pending = evaluation.evaluate(compiled);
        const outcome = pending instanceof Promise ? await pending : pending;
        if ('error' in outcome) errors.push(outcome.error);
        else if (outcome.value === false) return { matches: false, failedCondition: name };
      }
    } catch (error) {
      if (error instanceof BudgetExceededError) return { matches: false, errors: [error.message] };
      throw error;
    }
    return errors.length === 0 ? { matches: true } : { matches: false, errors };
  }
}

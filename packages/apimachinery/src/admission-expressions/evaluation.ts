import { type Activation, Budget, CostLimitError, EvaluationError, MapValue, type Value } from '../cel/index.js';
import type { JsonObject } from '../json/index.js';
import { AuthorizationPending } from './authorizer.js';
import { type CompiledExpression, type ExpressionProblem, isCompiled } from './compile.js';
import type { AdmissionInput } from './input.js';
import { JsonValues } from './json-values.js';
import type { PolicyVariables } from './variables.js';

/** The cost that one expression may spend, in the units of a `Budget`. Upstream: apiserver `pkg/apis/cel/config.go`. */
const EXPRESSION_COST = 1_000_000;
/** The cost that all expressions of a policy may spend for one request, one binding and one parameter. */
export const POLICY_COST = 10_000_000;
/** How deep variables may read each other, so that none overflows the stack. */
const MOST_NESTED_VARIABLES = 200;

/** The value of an expression, or why it has none, in upstream's words. */
export type Outcome = { readonly value: Value } | { readonly error: string };

/** The expressions of an evaluation have together spent their budget. No operator absorbs this error. */
export class BudgetExceededError extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

export interface EvaluationOptions {
  readonly input: AdmissionInput;
  readonly params?: Readonly<JsonObject> | undefined;
  readonly variables?: PolicyVariables | undefined;
  readonly budget: number;
  /** Reading `authorizer` fails. */
  readonly hidesAuthorizer?: boolean;
}

/** Evaluates expressions for one request. They share a budget, and each variable is evaluated at most once. */
export class Evaluation {
  readonly #options: EvaluationOptions;
  readonly #known = new Map<string, Value | EvaluationError>();
  readonly #json = new JsonValues();
  readonly #read: Activation = (name) => this.#valueOf(name);
  #remaining: number;
  #depth = 0;

  constructor(options: EvaluationOptions) {
    this.#options = options;
    this.#remaining = options.budget;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** Throws `BudgetExceededError`. Returns a promise only if the expression waits for an authorizer. */
  evaluate(expression: CompiledExpression | ExpressionProblem): Outcome | Promise<Outcome> {
    if (!isCompiled(expression)) return { error: `compilation error: ${expression.problem}` };
    try {
      return this.#run(expression);
    } catch (error) {
      if (error instanceof AuthorizationPending) return this.#resume(expression, error);
      throw error;
    }
  }

  /** Starts again each time an authorizer has answered. The cost of a check bounds how often. */
  async #resume(expression: CompiledExpression, { pending }: AuthorizationPending): Promise<Outcome> {
    await pending;
    return this.evaluate(expression);
  }

  #run({ program, source }: CompiledExpression): Outcome {
    const budget = new Budget(EXPRESSION_COST);
    const value = attempt(() => program(this.#read, budget));
    this.#charge(budget);
    return value instanceof EvaluationError || value instanceof CostLimitError
      ? { error: `expression '${source}' resulted in error: ${value.message}` }
      : { value };
  }

  #charge({ spent }: Budget): void {
    this.#remaining -= Math.floor(spent);
    if (this.#remaining < 0) throw new BudgetExceededError();
  }

  #valueOf(name: string): Value | undefined {
    if (name === 'params') return this.#json.valueOf(this.#options.params ?? null);
    if (name === 'variables') return this.#variables();
    if (this.#options.hidesAuthorizer === true && name.startsWith('authorizer')) return undefined;
    return this.#options.input.read(name);
  }

  #variables(): Value {
    const names = this.#options.variables?.names() ?? [];
    return new MapValue({
      size: names.length,
      get: (name) => (typeof name === 'string' ? this.#variable(name) : undefined),
      keys: () => names,
    });
  }

  #variable(name: string): Value | undefined {
    let known = this.#known.get(name);
    if (known === undefined) {
      const variable = this.#options.variables?.get(name);
      if (variable === undefined) return undefined;
      known = this.#evaluateVariable(name, variable);
      this.#known.set(name, known);
    }
    if (known instanceof EvaluationError) throw known;
    return known;
  }

  #evaluateVariable(name: string, variable: CompiledExpression | ExpressionProblem): Value | EvaluationError {
    const fail = (why: string): EvaluationError => new EvaluationError(`composited variable "${name}" fails to ${why}`);
    if (!isCompiled(variable)) return fail(`compile: ${variable.problem}`);
    if (this.#depth >= MOST_NESTED_VARIABLES) return fail('evaluate: variables are nested too deeply');
    const budget = new Budget(EXPRESSION_COST);
    this.#depth++;
    try {
      const value = attempt(() => variable.program(this.#read, budget));
      this.#charge(budget);
      return value instanceof Error ? fail(`evaluate: ${value.message}`) : value;
    } finally {
      this.#depth--;
    }
  }
}

function attempt(run: () => Value): Value | EvaluationError | CostLimitError {
  try {
    return run();
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof CostLimitError) return error;
    throw error;
  }
}

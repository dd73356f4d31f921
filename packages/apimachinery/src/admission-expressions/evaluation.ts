import {
  Budget,
  COST_PER_STEP,
  CostLimitError,
  EvaluationError,
  type MapKey,
  MapValue,
  type Value,
} from '../cel/index.js';
import type { JsonObject } from '../json/index.js';
import type { Steps } from '../work/index.js';
import { AuthorizationPending } from './authorizer.js';
import { type CompiledExpression, type ExpressionProblem, isCompiled } from './compile.js';
import type { AdmissionInput } from './input.js';
import { JsonValues } from './json-values.js';
import { programs } from './programs.js';
import type { PolicyVariables } from './variables.js';

/** The cost that one expression may spend, in the units of a `Budget`. Upstream: apiserver `pkg/apis/cel/config.go`. */
const EXPRESSION_COST = 1_000_000;
/** The cost that all expressions of a policy may spend for one request, one binding and one parameter. */
export const POLICY_COST = 10_000_000;
/** How deep variables may read each other, so that none overflows the stack. */
const MOST_NESTED_VARIABLES = 200;

/** The cost that variables may spend while another expression waits for them without a pause. */
const COST_AT_ONCE = 5 * COST_PER_STEP;

/** The value of an expression, or why it has none, in upstream's words. */
export type Outcome<T = Value> = { readonly value: T } | { readonly error: string };

/** The expressions of an evaluation have together spent their budget. No operator absorbs this error. */
export class BudgetExceededError extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

/** Runs a computation in steps to its end, and lets other work run in between. */
export type RunSteps = <T>(steps: Steps<T>) => T | Promise<T>;

export interface EvaluationOptions {
  readonly input: Pick<AdmissionInput, 'read'>;
  readonly params?: Readonly<JsonObject> | undefined;
  readonly variables?: PolicyVariables | undefined;
  readonly budget: number;
  readonly run: RunSteps;
  /** Reading `authorizer` fails. */
  readonly hidesAuthorizer?: boolean;
}

/**
 * Thrown to interrupt an evaluation that reads a slow variable other than by `variables.NAME`. Run the steps, then
 * evaluate again.
 */
class VariablePending extends Error {
  readonly steps: Steps<unknown>;

  constructor(steps: Steps<unknown>) {
    super('a variable takes more than a step');
    this.steps = steps;
  }
}

/** Evaluates expressions for one request. They share a budget, and each variable is evaluated at most once. */
export class Evaluation {
  readonly #options: EvaluationOptions;
  readonly #known = new Map<string, Value | EvaluationError>();
  readonly #json = new JsonValues();
  #remaining: number;
  /** The cost that variables have spent since the last step. */
  #atOnce = 0;

  constructor(options: EvaluationOptions) {
    this.#options = options;
    this.#remaining = options.budget;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /**
   * Throws `BudgetExceededError`. Returns a promise only if the expression waits for an authorizer or takes more than a
   * step.
   */
  evaluate(expression: CompiledExpression | ExpressionProblem): Outcome | Promise<Outcome> {
    return this.evaluateAs(expression, (value) => value);
  }

  /** Like {@link evaluate}, with the value converted. The conversion may read variables, and what it throws rejects. */
  evaluateAs<T>(
    expression: CompiledExpression | ExpressionProblem,
    convert: (value: Value) => T,
  ): Outcome<T> | Promise<Outcome<T>> {
    if (!isCompiled(expression)) return { error: `compilation error: ${expression.problem}` };
    try {
      const outcome = this.#options.run(this.#evaluate(expression, convert));
      return outcome instanceof Promise
        ? outcome.catch(async (error: unknown) => this.#resume(expression, convert, error))
        : outcome;
    } catch (error) {
      if (error instanceof AuthorizationPending) return this.#resume(expression, convert, error);
      throw error;
    }
  }

  /** Starts again each time an authorizer has answered. The cost of a check bounds how often. */
  async #resume<T>(expression: CompiledExpression, convert: (value: Value) => T, error: unknown): Promise<Outcome<T>> {
    if (!(error instanceof AuthorizationPending)) throw error;
    await error.pending;
    return this.evaluateAs(expression, convert);
  }

  *#evaluate<T>(expression: CompiledExpression, convert: (value: Value) => T): Steps<Outcome<T>> {
    const { source } = expression;
    const value = yield* this.#run(expression, 0, convert);
    if (value instanceof EvaluationError || value instanceof CostLimitError) {
      return { error: `expression '${source}' resulted in error: ${value.message}` };
    }
    return { value };
  }

  /** Starts again each time a variable took long, and charges for the run that it gives up. */
  *#run<T>(
    expression: CompiledExpression,
    depth: number,
    convert: (value: Value) => T,
  ): Steps<T | EvaluationError | CostLimitError> {
    const program = programs.kept(expression) ?? (yield* programs.make(expression));
    for (;;) {
      const budget = new Budget(EXPRESSION_COST);
      const read = (name: string): Value | undefined => this.#valueOf(name, depth);
      let value: T | EvaluationError | CostLimitError;
      try {
        value = convert(program.inSteps === undefined ? program(read, budget) : yield* program.inSteps(read, budget));
      } catch (error) {
        if (error instanceof VariablePending) {
          this.#charge(budget);
          yield;
          this.#atOnce = 0;
          yield* error.steps;
          continue;
        }
        if (!(error instanceof EvaluationError || error instanceof CostLimitError)) throw error;
        value = error;
      }
      this.#atOnce += Math.min(budget.spent, COST_PER_STEP);
      this.#charge(budget);
      return value;
    }
  }

  #charge({ spent }: Budget): void {
    this.#remaining -= Math.floor(spent);
    if (this.#remaining < 0) throw new BudgetExceededError();
  }

  #valueOf(name: string, depth: number): Value | undefined {
    if (name === 'params') return this.#json.valueOf(this.#options.params ?? null);
    if (name === 'variables') return this.#variables(depth);
    if (this.#options.hidesAuthorizer === true && name.startsWith('authorizer')) return undefined;
    return this.#options.input.read(name);
  }

  #variables(depth: number): Value {
    const names = this.#options.variables?.names() ?? [];
    return new MapValue({
      size: names.length,
      get: (name) => (typeof name === 'string' ? this.#variable(name, depth) : undefined),
      keys: () => names,
      prepare: (name) => this.#prepare(name, depth),
    });
  }

  /** Evaluates a variable in steps, so that it is known when it is read. */
  *#prepare(name: MapKey, depth: number): Steps<void> {
    if (typeof name !== 'string' || this.#known.has(name)) return;
    const variable = this.#options.variables?.get(name);
    if (variable === undefined) return;
    yield* this.#evaluateVariable(name, variable, depth);
    if (this.#atOnce < COST_AT_ONCE) return;
    yield;
    this.#atOnce = 0;
  }

  /** `depth`: how many variables are being evaluated around this one. */
  #variable(name: string, depth: number): Value | undefined {
    let known = this.#known.get(name);
    if (known === undefined) {
      const variable = this.#options.variables?.get(name);
      if (variable === undefined) return undefined;
      known = this.#evaluateAtOnce(this.#evaluateVariable(name, variable, depth));
    }
    if (known instanceof EvaluationError) throw known;
    return known;
  }

  /** Throws `VariablePending` when variables have taken too long. */
  #evaluateAtOnce(steps: Steps<Value | EvaluationError>): Value | EvaluationError {
    for (;;) {
      const step = steps.next();
      if (step.done !== true) this.#atOnce += COST_PER_STEP;
      if (this.#atOnce >= COST_AT_ONCE) throw new VariablePending(steps);
      if (step.done === true) return step.value;
    }
  }

  *#evaluateVariable(
    name: string,
    variable: CompiledExpression | ExpressionProblem,
    depth: number,
  ): Steps<Value | EvaluationError> {
    const value = yield* this.#valueOfVariable(name, variable, depth);
    this.#known.set(name, value);
    return value;
  }

  *#valueOfVariable(
    name: string,
    variable: CompiledExpression | ExpressionProblem,
    depth: number,
  ): Steps<Value | EvaluationError> {
    const fail = (why: string): EvaluationError => new EvaluationError(`composited variable "${name}" fails to ${why}`);
    if (!isCompiled(variable)) return fail(`compile: ${variable.problem}`);
    if (depth >= MOST_NESTED_VARIABLES) return fail('evaluate: variables are nested too deeply');
    const value = yield* this.#run(variable, depth + 1, (result) => result);
    return value instanceof Error ? fail(`evaluate: ${value.message}`) : value;
  }
}

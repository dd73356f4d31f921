import type { ValidatingAdmissionPolicy, Validation } from '@binnacle/api/types/admissionregistration-v1';
import {
  type AdmissionInput,
  BudgetExceededError,
  type CompiledExpression,
  compileAdmissionExpressionInSteps,
  Evaluation,
  type ExpressionProblem,
  type ExpressionScope,
  MatchConditions,
  type Outcome,
  POLICY_COST,
  PolicyVariables,
  type RunSteps,
} from '@binnacle/apimachinery/admission-expressions';
import type { Clock } from '@binnacle/apimachinery/clock';
import { joinMessages } from '@binnacle/apimachinery/errors';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { StatusReason } from '@binnacle/apimachinery/status';
import { utf8Length } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import { inSlices } from '../slices/index.js';

type Compiled = CompiledExpression | ExpressionProblem;

interface CompiledValidation {
  readonly expression: Compiled;
  readonly source: string;
  readonly message: string;
  readonly messageExpression: Compiled | undefined;
  readonly reason: StatusReason;
}

interface CompiledAnnotation {
  readonly key: string;
  readonly expression: Compiled;
}

interface PolicyParts {
  readonly ignoresFailures: boolean;
  readonly variables: PolicyVariables;
  readonly conditions: MatchConditions;
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly CompiledAnnotation[];
}

/** Why a policy denies a request. */
export interface PolicyDenial {
  /** The index of the validation; 0 for a denial that has another cause. */
  readonly index: number;
  readonly message: string;
  readonly reason: StatusReason;
  /** Denies whatever the actions of the binding are. */
  readonly always: boolean;
  /** How long its expression took. */
  readonly seconds: number;
}

/** An expression that failed, where the failure policy ignores that. */
export type IgnoredFailure = Pick<PolicyDenial, 'message' | 'seconds'>;

export interface ValidationResult {
  readonly denials: readonly PolicyDenial[];
  readonly ignored: readonly IgnoredFailure[];
  /** Values by key. */
  readonly annotations: ReadonlyMap<string, string>;
}

/** What a policy sees of one request, with one parameter. */
export interface ValidationInput {
  readonly conditions: () => AdmissionInput | Promise<AdmissionInput>;
  readonly input: () => AdmissionInput | Promise<AdmissionInput>;
  readonly params: JsonObject | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const NOTHING: ValidationResult = { denials: [], ignored: [], annotations: new Map() };
const LONGEST_MESSAGE = 5 * 1024;
const DEFAULT_REASON: StatusReason = 'Invalid';

/** A validating policy, compiled once. Upstream: apiserver `policy/validating/validator.go`. */
export class CompiledValidatingPolicy {
  readonly #ignoresFailures: boolean;
  readonly #conditions: MatchConditions;
  readonly #variables: PolicyVariables;
  readonly #validations: readonly CompiledValidation[];
  readonly #annotations: readonly CompiledAnnotation[];

  private constructor(parts: PolicyParts) {
    this.#ignoresFailures = parts.ignoresFailures;
    this.#variables = parts.variables;
    this.#conditions = parts.conditions;
    this.#validations = parts.validations;
    this.#annotations = parts.annotations;
  }

  /** Expression by expression. */
  static *compile({ spec = {} }: ValidatingAdmissionPolicy): Steps<CompiledValidatingPolicy> {
    const plain = { params: spec.paramKind !== undefined, authorizer: true };
    const variables = yield* PolicyVariables.compile(plain, spec.variables ?? []);
    const scope = { ...plain, variables: variables.types };
    const conditions = yield* MatchConditions.compile(spec.matchConditions ?? [], scope);
    const validations: CompiledValidation[] = [];
    for (const validation of spec.validations ?? []) {
      validations.push(yield* compileValidation(validation, scope));
      yield;
    }
    const annotations: CompiledAnnotation[] = [];
    for (const { key, valueExpression } of spec.auditAnnotations ?? []) {
      const expression = yield* compileAdmissionExpressionInSteps(valueExpression, 'auditAnnotation', scope);
      annotations.push({ key, expression });
      yield;
    }
    const ignoresFailures = spec.failurePolicy === 'Ignore';
    return new CompiledValidatingPolicy({ ignoresFailures, variables, conditions, validations, annotations });
  }

  async validate(given: ValidationInput): Promise<ValidationResult> {
    const { params, signal, clock } = given;
    const variables = this.#variables;
    const run: RunSteps = (steps) => inSlices(steps, signal);
    if (!this.#conditions.isEmpty) {
      const matched = await this.#conditions.evaluate({ input: await given.conditions(), params, variables, run });
      if (!matched.matches) return 'errors' in matched ? this.#failure(joinMessages(matched.errors)) : NOTHING;
    }
    const pending = given.input();
    const input = pending instanceof Promise ? await pending : pending;
    try {
      const evaluation = new Evaluation({ input, params, variables, run, budget: POLICY_COST });
      const judgement = await this.#judge(evaluation, clock);
      if (this.#annotations.length === 0) return judgement;
      const plain = new Evaluation({ input, params, variables, run, budget: POLICY_COST, hidesAuthorizer: true });
      return await this.#annotate(plain, judgement, clock);
    } catch (error) {
      if (error instanceof BudgetExceededError) return this.#failure(error.message);
      throw error;
    }
  }

  /** A failure that stops the evaluation. */
  #failure(message: string): ValidationResult {
    if (this.#ignoresFailures) return { ...NOTHING, ignored: [{ message, seconds: 0 }] };
    return { ...NOTHING, denials: [{ ...failed(0, 0), message }] };
  }

  async #judge(evaluation: Evaluation, clock: Clock): Promise<ValidationResult> {
    const outcomes: Outcome[] = [];
    const durations: number[] = [];
    for (const { expression } of this.#validations) {
      const start = clock.monotonic();
      const pending = evaluation.evaluate(expression);
      const outcome = pending instanceof Promise ? await pending : pending;
      outcomes.push(outcome);
      durations.push(holds(outcome) ? 0 : (clock.monotonic() - start) / 1000);
    }
    if (outcomes.every(holds)) return NOTHING;
    const messages = await this.#messages(outcomes, evaluation);
    const denials: PolicyDenial[] = [];
    const ignored: IgnoredFailure[] = [];
    for (const [index, { source, message, reason }] of this.#validations.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined || holds(outcome)) continue;
      const seconds = durations[index] ?? 0;
      const own = messages[index];
      const failure = 'error' in outcome ? outcome.error : own instanceof BudgetExceededError ? spent(own) : undefined;
      if (failure !== undefined) {
        if (this.#ignoresFailures) ignored.push({ message: failure, seconds });
        else denials.push({ ...failed(index, seconds), message: failure });
        continue;
      }
      const evaluated = typeof own === 'string' ? own : '';
      const shown = evaluated || message.trim() || `failed expression: ${source.trim()}`;
      denials.push({ index, message: shown, reason, always: false, seconds });
    }
    return { ...NOTHING, denials, ignored };
  }

  /** The values of all message expressions, if any validation needs one. */
  async #messages(outcomes: readonly Outcome[], evaluation: Evaluation) {
    const messages: (string | BudgetExceededError | undefined)[] = [];
    if (!outcomes.some((outcome) => 'value' in outcome && outcome.value !== true)) return messages;
    try {
      for (const { messageExpression } of this.#validations) {
        const outcome = messageExpression && (await evaluation.evaluate(messageExpression));
        messages.push(outcome === undefined ? undefined : usableMessage(outcome));
      }
      return messages;
    } catch (error) {
      if (error instanceof BudgetExceededError) return this.#validations.map(() => error);
      throw error;
    }
  }

  async #annotate(evaluation: Evaluation, judgement: ValidationResult, clock: Clock): Promise<ValidationResult> {
    const annotations = new Map<string, string>();
    const failures: PolicyDenial[] = [];
    for (const { key, expression } of this.#annotations) {
      const start = clock.monotonic();
      const outcome = await evaluation.evaluate(expression);
      if ('error' in outcome) {
        const seconds = (clock.monotonic() - start) / 1000;
        if (!this.#ignoresFailures) failures.push({ ...failed(0, seconds), message: outcome.error, always: true });
        continue;
      }
      const value = typeof outcome.value === 'string' ? outcome.value.trim() : '';
      if (value !== '') annotations.set(key, value);
    }
    return { ...judgement, denials: [...judgement.denials, ...failures], annotations };
  }
}

function* compileValidation(validation: Validation, scope: ExpressionScope): Steps<CompiledValidation> {
  const { expression, message = '', messageExpression = '', reason = DEFAULT_REASON } = validation;
  return {
    expression: yield* compileAdmissionExpressionInSteps(expression, 'condition', scope),
    source: expression,
    message,
    messageExpression:
      messageExpression === ''
        ? undefined
        : yield* compileAdmissionExpressionInSteps(messageExpression, 'message', { ...scope, authorizer: false }),
    reason: reason as StatusReason,
  };
}

function holds(outcome: Outcome): boolean {
  return 'value' in outcome && outcome.value === true;
}

function failed(index: number, seconds: number): PolicyDenial {
  return { index, message: '', reason: DEFAULT_REASON, always: false, seconds };
}

function spent(error: BudgetExceededError): string {
  return `failed messageExpression: ${error.message}`;
}

/** Undefined for a message that is too long, has several lines, or could not be evaluated. */
function usableMessage(outcome: Outcome): string | undefined {
  if ('error' in outcome || typeof outcome.value !== 'string') return undefined;
  const message = outcome.value.trim();
  return utf8Length(message) > LONGEST_MESSAGE || message.includes('\n') ? undefined : message;
}

import type { ValidatingAdmissionPolicy } from '@binnacle/api/types/admissionregistration-v1';
import {
  type AdmissionInput,
  BudgetExceededError,
  type CompiledExpression,
  compileAdmissionExpression,
  Evaluation,
  type ExpressionProblem,
  MatchConditions,
  type Outcome,
  POLICY_COST,
  PolicyVariables,
  type RunSteps,
} from '@binnacle/apimachinery/admission-expressions';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { StatusReason } from '@binnacle/apimachinery/status';
import { utf8Length } from '@binnacle/apimachinery/validation';
import { aggregate } from '../admission/index.js';
import { inSlices } from '../slices/index.js';

type Compiled = CompiledExpression | ExpressionProblem;

interface CompiledValidation {
  readonly expression: Compiled;
  readonly source: string;
  readonly message: string;
  readonly messageExpression: Compiled | undefined;
  readonly reason: StatusReason;
}

/** Why a policy denies a request. */
export interface PolicyDenial {
  /** The index of the validation; 0 for a denial that has another cause. */
  readonly index: number;
  readonly message: string;
  readonly reason: StatusReason;
  /** Denies whatever the actions of the binding are. */
  readonly always: boolean;
}

export interface ValidationResult {
  readonly denials: readonly PolicyDenial[];
  /** Values by key. */
  readonly annotations: ReadonlyMap<string, string>;
}

/** What a policy sees of one request, with one parameter. */
export interface ValidationInput {
  readonly conditions: () => Promise<AdmissionInput>;
  readonly input: () => Promise<AdmissionInput>;
  readonly params: JsonObject | undefined;
  readonly signal: AbortSignal;
}

const NOTHING: ValidationResult = { denials: [], annotations: new Map() };
const LONGEST_MESSAGE = 5 * 1024;
const DEFAULT_REASON: StatusReason = 'Invalid';

/** A validating policy, compiled once. Upstream: apiserver `policy/validating/validator.go`. */
export class CompiledValidatingPolicy {
  readonly #ignoresFailures: boolean;
  readonly #conditions: MatchConditions;
  readonly #variables: PolicyVariables;
  readonly #validations: readonly CompiledValidation[];
  readonly #annotations: readonly { readonly key: string; readonly expression: Compiled }[];

  constructor({ spec = {} }: ValidatingAdmissionPolicy) {
    const plain = { params: spec.paramKind !== undefined, authorizer: true };
    this.#ignoresFailures = spec.failurePolicy === 'Ignore';
    this.#variables = new PolicyVariables(plain, spec.variables ?? []);
    const scope = { ...plain, variables: this.#variables.types };
    this.#conditions = new MatchConditions(spec.matchConditions ?? [], scope);
    this.#validations = (spec.validations ?? []).map((validation) => ({
      expression: compileAdmissionExpression(validation.expression, 'condition', scope),
      source: validation.expression,
      message: validation.message ?? '',
      messageExpression:
        (validation.messageExpression ?? '') === ''
          ? undefined
          : compileAdmissionExpression(validation.messageExpression ?? '', 'message', { ...scope, authorizer: false }),
      reason: (validation.reason as StatusReason | undefined) ?? DEFAULT_REASON,
    }));
    this.#annotations = (spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
      key,
      expression: compileAdmissionExpression(valueExpression, 'auditAnnotation', scope),
    }));
  }

  async validate(given: ValidationInput): Promise<ValidationResult> {
    const { params, signal } = given;
    const variables = this.#variables;
    const run: RunSteps = (steps) => inSlices(steps, signal);
    if (!this.#conditions.isEmpty) {
      const matched = await this.#conditions.evaluate({ input: await given.conditions(), params, variables, run });
      if (!matched.matches) return 'errors' in matched ? this.#failure(aggregate(matched.errors)) : NOTHING;
    }
    const input = await given.input();
    try {
      const evaluation = new Evaluation({ input, params, variables, run, budget: POLICY_COST });
      const denials = await this.#judge(evaluation);
      const plain = new Evaluation({ input, params, variables, run, budget: POLICY_COST, hidesAuthorizer: true });
      return await this.#annotate(plain, denials);
    } catch (error) {
      if (error instanceof BudgetExceededError) return this.#failure(error.message);
      throw error;
    }
  }

  /** A failure that stops the evaluation. */
  #failure(message: string): ValidationResult {
    return this.#ignoresFailures ? NOTHING : { ...NOTHING, denials: [{ ...failed(0), message }] };
  }

  async #judge(evaluation: Evaluation): Promise<PolicyDenial[]> {
    const outcomes: Outcome[] = [];
    for (const { expression } of this.#validations) outcomes.push(await evaluation.evaluate(expression));
    const messages = await this.#messages(outcomes, evaluation);
    return this.#validations.flatMap(({ source, message, reason }, index): PolicyDenial[] => {
      const outcome = outcomes[index];
      if (outcome === undefined || ('value' in outcome && outcome.value === true)) return [];
      const own = messages[index];
      const failure = 'error' in outcome ? outcome.error : own instanceof BudgetExceededError ? spent(own) : undefined;
      if (failure !== undefined) return this.#ignoresFailures ? [] : [{ ...failed(index), message: failure }];
      const evaluated = typeof own === 'string' ? own : '';
      const shown = evaluated || message.trim() || `failed expression: ${source.trim()}`;
      return [{ index, message: shown, reason, always: false }];
    });
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

  async #annotate(evaluation: Evaluation, denials: readonly PolicyDenial[]): Promise<ValidationResult> {
    const annotations = new Map<string, string>();
    const failures: PolicyDenial[] = [];
    for (const { key, expression } of this.#annotations) {
      const outcome = await evaluation.evaluate(expression);
      if ('error' in outcome) {
        if (!this.#ignoresFailures) failures.push({ ...failed(0), message: outcome.error, always: true });
        continue;
      }
      const value = typeof outcome.value === 'string' ? outcome.value.trim() : '';
      if (value !== '') annotations.set(key, value);
    }
    return { denials: [...denials, ...failures], annotations };
  }
}

function failed(index: number): PolicyDenial {
  return { index, message: '', reason: DEFAULT_REASON, always: false };
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

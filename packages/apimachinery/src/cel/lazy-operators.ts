import type { Steps } from '../work/index.js';
import { SELECT_COST } from './cost/budget.js';
import { EvaluationError, noSuchOverload } from './evaluation-error.js';
import { attempt, attemptInSteps, type Frame, hasSteps, type Step, stepOf } from './step.js';
import { OptionalValue, type Value } from './values.js';

type Attempt = Value | EvaluationError;

/** `&&` and `||`: one `decisive` operand decides, even if the other fails. */
export function logical(left: Step, right: Step, decisive: boolean): Step {
  const { now: first } = left;
  const { now: second } = right;
  const inSteps = function* (frame: Frame): Steps<Value> {
    const value = yield* attemptInSteps(left, frame);
    return value === decisive ? decisive : decided(value, yield* attemptInSteps(right, frame), decisive);
  };
  if (first === undefined || second === undefined) return { inSteps };
  const now = (frame: Frame): Value => {
    const value = attempt(first, frame);
    return value === decisive ? decisive : decided(value, attempt(second, frame), decisive);
  };
  return stepOf(now, inSteps, hasSteps([left, right]));
}

/** The value of `&&` or `||` if the first operand does not decide. */
function decided(first: Attempt, second: Attempt, decisive: boolean): boolean {
  if (second === decisive) return decisive;
  if (first instanceof EvaluationError) throw first;
  if (second instanceof EvaluationError) throw second;
  if (typeof first !== 'boolean' || typeof second !== 'boolean') throw noSuchOverload();
  return !decisive;
}

/** `?:`. */
export function conditional(condition: Step, yes: Step, no: Step): Step {
  const inSteps = function* (frame: Frame): Steps<Value> {
    const decision = condition.inSteps === undefined ? condition.now(frame) : yield* condition.inSteps(frame);
    const branch = isTrue(decision) ? yes : no;
    return branch.inSteps === undefined ? branch.now(frame) : yield* branch.inSteps(frame);
  };
  const { now: decide } = condition;
  const { now: whenTrue } = yes;
  const { now: whenFalse } = no;
  if (decide === undefined || whenTrue === undefined || whenFalse === undefined) return { inSteps };
  const now = (frame: Frame): Value => (isTrue(decide(frame)) ? whenTrue(frame) : whenFalse(frame));
  return stepOf(now, inSteps, hasSteps([condition, yes, no]));
}

function isTrue(decision: Value): boolean {
  if (typeof decision !== 'boolean') throw noSuchOverload();
  return decision;
}

/**
 * `or` and `orValue`: `result` of an optional that holds a value, else the value of `other`. A first operand that is not an optional is the
 * result, as in cel-go. The call itself costs nothing.
 */
export function alternative(first: Step, other: Step, result: (holder: OptionalValue) => Value): Step {
  const isEmpty = (value: Value): boolean => value instanceof OptionalValue && value.value === undefined;
  const resultOf = (value: Value): Value => (value instanceof OptionalValue ? result(value) : value);
  const inSteps = function* (frame: Frame): Steps<Value> {
    const value = first.inSteps === undefined ? first.now(frame) : yield* first.inSteps(frame);
    if (!isEmpty(value)) return resultOf(value);
    return other.inSteps === undefined ? other.now(frame) : yield* other.inSteps(frame);
  };
  const { now: read } = first;
  const { now: readOther } = other;
  if (read === undefined || readOther === undefined) return { inSteps };
  const now = (frame: Frame): Value => {
    const value = read(frame);
    return isEmpty(value) ? readOther(frame) : resultOf(value);
  };
  return stepOf(now, inSteps, hasSteps([first, other]));
}

/** Also true for an error, so that a comprehension continues: a later element may decide. */
export function notStrictlyFalse(operand: Step): Step {
  const { now } = operand;
  const inSteps = function* (frame: Frame): Steps<Value> {
    return isNotFalse(frame, yield* attemptInSteps(operand, frame));
  };
  return stepOf(now && ((frame) => isNotFalse(frame, attempt(now, frame))), inSteps, hasSteps([operand]));
}

function isNotFalse({ budget }: Frame, value: Attempt): boolean {
  budget.charge(SELECT_COST);
  return value !== false;
}

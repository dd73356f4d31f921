import { SELECT_COST } from './cost/budget.js';
import { EvaluationError, noSuchOverload } from './evaluation-error.js';
import { attempt, attemptInSteps, type Frame, type Step } from './step.js';
import type { Value } from './values.js';

type Attempt = Value | EvaluationError;

/** `&&` and `||`: one `decisive` operand decides, even if the other fails. */
export function logical(left: Step, right: Step, decisive: boolean): Step {
  const { now: first } = left;
  const { now: second } = right;
  if (first !== undefined && second !== undefined) {
    return {
      now(frame) {
        const value = attempt(first, frame);
        return value === decisive ? decisive : decided(value, attempt(second, frame), decisive);
      },
    };
  }
  return {
    *inSteps(frame) {
      const value = yield* attemptInSteps(left, frame);
      return value === decisive ? decisive : decided(value, yield* attemptInSteps(right, frame), decisive);
    },
  };
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
  if (condition.now !== undefined && yes.now !== undefined && no.now !== undefined) {
    const { now: decide } = condition;
    const { now: whenTrue } = yes;
    const { now: whenFalse } = no;
    return { now: (frame) => (isTrue(decide(frame)) ? whenTrue(frame) : whenFalse(frame)) };
  }
  return {
    *inSteps(frame) {
      const decision = condition.now === undefined ? yield* condition.inSteps(frame) : condition.now(frame);
      const branch = isTrue(decision) ? yes : no;
      return branch.now === undefined ? yield* branch.inSteps(frame) : branch.now(frame);
    },
  };
}

function isTrue(decision: Value): boolean {
  if (typeof decision !== 'boolean') throw noSuchOverload();
  return decision;
}

/** Also true for an error, so that a comprehension continues: a later element may decide. */
export function notStrictlyFalse(operand: Step): Step {
  const { now } = operand;
  if (now !== undefined) return { now: (frame) => isNotFalse(frame, attempt(now, frame)) };
  return {
    *inSteps(frame) {
      return isNotFalse(frame, yield* attemptInSteps(operand, frame));
    },
  };
}

function isNotFalse({ budget }: Frame, value: Attempt): boolean {
  budget.charge(SELECT_COST);
  return value !== false;
}

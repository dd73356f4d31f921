import type { Steps } from '../work/index.js';
import type { Budget } from './cost/budget.js';
import { EvaluationError } from './evaluation-error.js';
import { MapValue, type Value } from './values.js';

/** Looks up the value of a variable. Called for every use, so the provider should cache expensive values. */
export type Activation = (variable: string) => Value | undefined;

/** The state of an evaluation: activation, budget, and the variables of comprehensions by slot. */
export interface Frame {
  readonly activation: Activation;
  readonly budget: Budget;
  /** An accumulator may hold an error, because a later element may decide the result. */
  readonly slots: (Value | EvaluationError)[];
}

type Immediate = (frame: Frame) => Value;
type Stepwise = (frame: Frame) => Steps<Value>;

/**
 * A compiled node. It evaluates at once, in steps, or either. In steps: it or a node below it may take long. Either:
 * that depends on the values. An evaluation at once then ends with `TakesLong`.
 */
export type Step =
  | { readonly now: Immediate; readonly inSteps?: undefined }
  | { readonly now: Immediate; readonly inSteps: Stepwise }
  | { readonly now?: undefined; readonly inSteps: Stepwise };

/** `now`: undefined if the node evaluates only in steps. `isLong`: whether it may evaluate in steps. */
export function stepOf(now: Immediate | undefined, inSteps: Stepwise, isLong = true): Step {
  if (now === undefined) return { inSteps };
  return isLong ? { now, inSteps } : { now };
}

/** Combines the values of all parts of a node, which are evaluated in order. */
type Combine = (frame: Frame, values: readonly Value[]) => Value;

/** A node that needs the values of all its parts. */
export function eager(parts: readonly Step[], combine: Combine): Step {
  const immediate = immediateOf(parts);
  const inSteps = function* (frame: Frame): Steps<Value> {
    return combine(frame, yield* valuesOf(parts, frame));
  };
  return stepOf(immediate && combined(immediate, combine), inSteps, hasSteps(parts));
}

/** Like {@link eager}, for parts that may take long to combine. `combine`: absent if they always do. */
export function eagerInSteps(
  parts: readonly Step[],
  combineInSteps: (frame: Frame, values: readonly Value[]) => Steps<Value>,
  combine?: Combine,
): Step {
  const inSteps = function* (frame: Frame): Steps<Value> {
    return yield* combineInSteps(frame, yield* valuesOf(parts, frame));
  };
  const immediate = immediateOf(parts);
  return stepOf(combine && immediate && combined(immediate, combine), inSteps);
}

function* valuesOf(parts: readonly Step[], frame: Frame): Steps<Value[]> {
  const values: Value[] = [];
  for (const part of parts) values.push(part.inSteps === undefined ? part.now(frame) : yield* part.inSteps(frame));
  return values;
}

/** A node that needs the value of its only part. */
export function unary(part: Step, combine: (frame: Frame, value: Value) => Value): Step {
  if (part.inSteps === undefined) {
    const { now } = part;
    return { now: (frame) => combine(frame, now(frame)) };
  }
  const { now, inSteps } = part;
  const atOnce = now && ((frame: Frame) => combine(frame, now(frame)));
  return stepOf(atOnce, function* (frame) {
    return combine(frame, yield* inSteps(frame));
  });
}

/** Like {@link unary}, for a part that may be a map: computes its entry in steps first, because that may take long. */
export function prepared(part: Step, key: string, combine: (frame: Frame, value: Value) => Value): Step {
  return {
    *inSteps(frame) {
      const value = part.inSteps === undefined ? part.now(frame) : yield* part.inSteps(frame);
      if (value instanceof MapValue) yield* value.prepare(key);
      return combine(frame, value);
    },
  };
}

export function hasSteps(parts: readonly Step[]): boolean {
  return parts.some(({ inSteps }) => inSteps !== undefined);
}

/** Undefined if any part evaluates only in steps. */
function immediateOf(parts: readonly Step[]): readonly Immediate[] | undefined {
  const immediate: Immediate[] = [];
  for (const { now } of parts) {
    if (now === undefined) return undefined;
    immediate.push(now);
  }
  return immediate;
}

function combined(parts: readonly Immediate[], combine: Combine): Immediate {
  const [first, second] = parts;
  if (first !== undefined && parts.length === 1) return (frame) => combine(frame, [first(frame)]);
  if (first !== undefined && second !== undefined && parts.length === 2) {
    return (frame) => combine(frame, [first(frame), second(frame)]);
  }
  return (frame) => {
    const values: Value[] = [];
    for (const part of parts) values.push(part(frame));
    return combine(frame, values);
  };
}

/** The result of a node that evaluates at once, or the error that it throws. */
export function attempt(now: Immediate, frame: Frame): Value | EvaluationError {
  try {
    return now(frame);
  } catch (error) {
    return absorbed(error);
  }
}

/** The result of one pass of a loop, or the error that it throws. A pass runs in steps only if it takes long. */
export function* attemptPass(step: Step, frame: Frame): Steps<Value | EvaluationError> {
  const { now } = step;
  const result = now && frame.budget.tryAtOnce(() => attempt(now, frame));
  return result === undefined ? yield* attemptInSteps(step, frame) : result;
}

/** The result of a node, or the error that it throws. */
export function* attemptInSteps(step: Step, frame: Frame): Steps<Value | EvaluationError> {
  try {
    return step.inSteps === undefined ? step.now(frame) : yield* step.inSteps(frame);
  } catch (error) {
    return absorbed(error);
  }
}

/** Throws every error that no operator absorbs. */
function absorbed(error: unknown): EvaluationError {
  if (error instanceof EvaluationError) return error;
  throw error;
}

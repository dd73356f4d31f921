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

/** A compiled node. It evaluates at once, or in steps if it or a node below it may take long. */
export type Step =
  | { readonly now: Immediate; readonly inSteps?: undefined }
  | { readonly now?: undefined; readonly inSteps: Stepwise };

/** Combines the values of all parts of a node, which are evaluated in order. */
type Combine = (frame: Frame, values: readonly Value[]) => Value;

/** A node that needs the values of all its parts. */
export function eager(parts: readonly Step[], combine: Combine): Step {
  const immediate = immediateOf(parts);
  if (immediate !== undefined) return { now: combined(immediate, combine) };
  return {
    *inSteps(frame) {
      return combine(frame, yield* valuesOf(parts, frame));
    },
  };
}

/** Like {@link eager}, for parts that take long to combine. */
export function eagerInSteps(
  parts: readonly Step[],
  combine: (frame: Frame, values: readonly Value[]) => Steps<Value>,
): Step {
  return {
    *inSteps(frame) {
      return yield* combine(frame, yield* valuesOf(parts, frame));
    },
  };
}

function* valuesOf(parts: readonly Step[], frame: Frame): Steps<Value[]> {
  const values: Value[] = [];
  for (const part of parts) values.push(part.now === undefined ? yield* part.inSteps(frame) : part.now(frame));
  return values;
}

/** A node that needs the value of its only part. */
export function unary(part: Step, combine: (frame: Frame, value: Value) => Value): Step {
  const { now, inSteps } = part;
  if (now !== undefined) return { now: (frame) => combine(frame, now(frame)) };
  return {
    *inSteps(frame) {
      return combine(frame, yield* inSteps(frame));
    },
  };
}

/** Like {@link unary}, for a part that is a map which may take long to compute the entry. */
export function prepared(part: Step, key: string, combine: (frame: Frame, value: Value) => Value): Step {
  return {
    *inSteps(frame) {
      const value = part.now === undefined ? yield* part.inSteps(frame) : part.now(frame);
      if (value instanceof MapValue) yield* value.prepare(key);
      return combine(frame, value);
    },
  };
}

/** Undefined if any part evaluates in steps. */
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

/** The result of a node, or the error that it throws. */
export function* attemptInSteps(step: Step, frame: Frame): Steps<Value | EvaluationError> {
  try {
    return step.now === undefined ? yield* step.inSteps(frame) : step.now(frame);
  } catch (error) {
    return absorbed(error);
  }
}

/** Throws every error that no operator absorbs. */
function absorbed(error: unknown): EvaluationError {
  if (error instanceof EvaluationError) return error;
  throw error;
}

import { noSuchOverload } from './evaluation-error.js';
import { attempt, attemptInSteps, type Frame, type Step } from './step.js';
import { ListValue, MapValue, type Value } from './values.js';

/** The compiled parts of a comprehension, and the slots of its variables. */
export interface ComprehensionParts {
  readonly range: Step;
  readonly initial: Step;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
  readonly accumulator: number;
  readonly variable: number;
  /** Of the element or value, if the first variable is its index or key. */
  readonly second: number | undefined;
}

/** The only loop of the language. It yields when it has done the work of a step. */
export function comprehension(parts: ComprehensionParts): Step {
  const { range, initial, condition, step, result, accumulator } = parts;
  return {
    *inSteps(frame) {
      const { slots, budget } = frame;
      const over = range.now === undefined ? yield* range.inSteps(frame) : range.now(frame);
      slots[accumulator] = initial.now === undefined ? yield* initial.inSteps(frame) : initial.now(frame);
      const inOrder = over instanceof MapValue ? over.keysInSteps() : undefined;
      if (inOrder !== undefined) yield* inOrder;
      const next = elements(over, frame, parts);
      while (next()) {
        const goesOn = condition.now === undefined ? yield* condition.inSteps(frame) : condition.now(frame);
        if (goesOn !== true) break;
        slots[accumulator] = step.now === undefined ? yield* attemptInSteps(step, frame) : attempt(step.now, frame);
        if (budget.endsStep()) yield;
      }
      return result.now === undefined ? yield* result.inSteps(frame) : result.now(frame);
    },
  };
}

/** A comprehension without elements, which binds its accumulator to a value. */
export function binding(initial: Step, result: Step, accumulator: number): Step {
  if (initial.now !== undefined && result.now !== undefined) {
    const { now: bound } = initial;
    const { now: inside } = result;
    return {
      now(frame) {
        frame.slots[accumulator] = bound(frame);
        return inside(frame);
      },
    };
  }
  return {
    *inSteps(frame) {
      frame.slots[accumulator] = initial.now === undefined ? yield* initial.inSteps(frame) : initial.now(frame);
      return result.now === undefined ? yield* result.inSteps(frame) : result.now(frame);
    },
  };
}

/**
 * Each call puts the next element of a list, key of a map, or both with two variables, into the slots of the variables.
 * Returns false after the last one.
 */
function elements(range: Value, { slots }: Frame, { variable, second }: ComprehensionParts): () => boolean {
  if (range instanceof ListValue) {
    let index = 0;
    return () => {
      if (index >= range.size) return false;
      const element = range.at(index);
      if (second === undefined) slots[variable] = element;
      else {
        slots[variable] = BigInt(index);
        slots[second] = element;
      }
      index++;
      return true;
    };
  }
  if (!(range instanceof MapValue)) throw noSuchOverload();
  const keys = range.keys()[Symbol.iterator]();
  return () => {
    const key = keys.next();
    if (key.done === true) return false;
    slots[variable] = key.value;
    if (second !== undefined) slots[second] = range.get(key.value) ?? null;
    return true;
  };
}

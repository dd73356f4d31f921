import type { Steps } from '../work/index.js';
import { noSuchOverload } from './evaluation-error.js';
import { attempt, attemptPass, type Frame, hasSteps, type Step, stepOf } from './step.js';
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

/** The only loop of the language. In steps, it yields when it has done the work of a step. Each pass has a cost. */
export function comprehension(parts: ComprehensionParts): Step {
  const { range, initial, condition, step, result, accumulator } = parts;
  const inSteps = function* (frame: Frame): Steps<Value> {
    const { slots, budget } = frame;
    const over = range.inSteps === undefined ? range.now(frame) : yield* range.inSteps(frame);
    slots[accumulator] = initial.inSteps === undefined ? initial.now(frame) : yield* initial.inSteps(frame);
    const inOrder = over instanceof MapValue ? over.keysInSteps() : undefined;
    if (inOrder !== undefined) yield* inOrder;
    const next = elements(over, frame, parts);
    while (next()) {
      const goesOn = condition.inSteps === undefined ? condition.now(frame) : yield* condition.inSteps(frame);
      if (goesOn !== true) break;
      slots[accumulator] = step.inSteps === undefined ? attempt(step.now, frame) : yield* attemptPass(step, frame);
      if (budget.endsStep()) yield;
    }
    return result.inSteps === undefined ? result.now(frame) : yield* result.inSteps(frame);
  };
  return stepOf(atOnce(parts), inSteps);
}

/** Undefined if a part evaluates only in steps. */
function atOnce(parts: ComprehensionParts): Step['now'] {
  const { accumulator } = parts;
  const { now: range } = parts.range;
  const { now: initial } = parts.initial;
  const { now: condition } = parts.condition;
  const { now: step } = parts.step;
  const { now: result } = parts.result;
  if (range === undefined || initial === undefined || condition === undefined) return undefined;
  if (step === undefined || result === undefined) return undefined;
  return (frame) => {
    const { slots, budget } = frame;
    const over = range(frame);
    slots[accumulator] = initial(frame);
    if (over instanceof MapValue && over.keysInSteps() !== undefined) budget.takesLong();
    const next = elements(over, frame, parts);
    while (next() && condition(frame) === true) slots[accumulator] = attempt(step, frame);
    return result(frame);
  };
}

/** A comprehension without elements, which binds its accumulator to a value. */
export function binding(initial: Step, result: Step, accumulator: number): Step {
  const inSteps = function* (frame: Frame): Steps<Value> {
    frame.slots[accumulator] = initial.inSteps === undefined ? initial.now(frame) : yield* initial.inSteps(frame);
    return result.inSteps === undefined ? result.now(frame) : yield* result.inSteps(frame);
  };
  const { now: bound } = initial;
  const { now: inside } = result;
  if (bound === undefined || inside === undefined) return { inSteps };
  const now = (frame: Frame): Value => {
    frame.slots[accumulator] = bound(frame);
    return inside(frame);
  };
  return stepOf(now, inSteps, hasSteps([initial, result]));
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

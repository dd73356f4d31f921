import type { RE2JS } from 're2js';
import { Pace, type Steps } from '../work/index.js';
import { compiledPatterns, type Match } from './compiled-patterns.js';
import { type Instruction, programOf } from './pattern-engine.js';

/** The units of a text times the instructions of a pattern that take a few milliseconds, or tens in the worst case. */
const MOST_WORK = 2_000_000;
/** Instructions: a few milliseconds. */
const INSTRUCTIONS_PER_STEP = 100_000;

let executed = 0;

/**
 * How many instructions the searches in steps have executed since the last call. No other search runs between two steps
 * of a call, so the count belongs to the last one.
 */
export function takeInstructions(): number {
  const taken = executed;
  executed = 0;
  return taken;
}

/** Whether the search of a text takes so long that it should run in steps, which is slower. */
export function isLongSearch(pattern: RE2JS, units: number): boolean {
  const { inst, numLb } = programOf(pattern);
  return numLb === 0 && units * inst.length > MOST_WORK;
}

/** The number of instructions of a pattern. */
export function sizeOfPattern(pattern: RE2JS): number {
  return programOf(pattern).inst.length;
}

/** The first match at or after `from`: by the engine, or in steps if it takes long. */
export function* firstMatch(pattern: RE2JS, text: string, from = 0): Steps<Match | undefined> {
  if (isLongSearch(pattern, text.length - from)) return yield* searchPattern(pattern, text, from);
  return compiledPatterns.find(pattern, text, from);
}

/**
 * The first match that starts at or after `from`: the leftmost, and of these the one that a backtracking engine prefers.
 * Runs the instructions of the pattern for all possible matches together. Upstream: Go `regexp/exec.go`.
 */
export function* searchPattern(
  pattern: RE2JS,
  text: string,
  from: number,
  { now, later }: Threads = threadsOf(pattern),
): Steps<Match | undefined> {
  const { start } = programOf(pattern);
  let [current, next] = [now, later];
  current.size = 0;
  next.size = 0;
  let found: Match | undefined;
  const pace = new Pace(INSTRUCTIONS_PER_STEP);
  let before = from === 0 ? END : pointBefore(text, from);
  for (let at = from; ; ) {
    const point = pointAt(text, at);
    if (found === undefined) current.add(start, at, conditions(before, point));
    if (current.size === 0) return found;
    const end = at + (point > 0xffff ? 2 : 1);
    const after = conditions(point, pointAt(text, end));
    const match = current.step(point, next, after);
    if (match !== undefined) found = { start: match, end: at };
    if (point === END) return found;
    const run = current.size + next.size;
    executed += run;
    current.size = 0;
    [current, next] = [next, current];
    before = point;
    at = end;
    if (pace.endsStep(run)) yield;
  }
}

/** The memory of a search, which the next one can use again. */
export interface Threads {
  readonly now: ThreadList;
  readonly later: ThreadList;
}

export function threadsOf(pattern: RE2JS): Threads {
  const { inst } = programOf(pattern);
  return { now: new ThreadList(inst), later: new ThreadList(inst) };
}

/** The instructions of a compiled pattern. */
const ALTERNATIVES = 1;
const ALTERNATIVES_MATCH = 2;
const CAPTURE = 3;
const CONDITION = 4;
const MATCH = 6;
const NOTHING = 7;
const CHARACTERS = 8;
const CHARACTER = 9;
const ANY = 10;
const ANY_NOT_NEWLINE = 11;

/** The instructions at one place of the text, by priority, each with the start of its match. */
class ThreadList {
  size = 0;
  readonly #instructions: readonly Instruction[];
  readonly #indices: Int32Array;
  readonly #counters: Int32Array;
  readonly #starts: Int32Array;
  readonly #stack: number[] = [];

  constructor(instructions: readonly Instruction[]) {
    this.#instructions = instructions;
    this.#indices = new Int32Array(instructions.length);
    this.#counters = new Int32Array(instructions.length);
    this.#starts = new Int32Array(instructions.length);
  }

  /** Adds an instruction, and all that follow it without reading. */
  add(first: number, start: number, holds: number): void {
    const stack = this.#stack;
    stack.push(first);
    for (let counter = stack.pop(); counter !== undefined; counter = stack.pop()) {
      if (this.#has(counter)) continue;
      this.#indices[counter] = this.size;
      this.#counters[this.size] = counter;
      this.#starts[this.size++] = start;
      const instruction = this.#instructions[counter];
      if (instruction === undefined) continue;
      const { op, out, arg } = instruction;
      if (op === ALTERNATIVES || op === ALTERNATIVES_MATCH) stack.push(arg, out);
      else if (op === CAPTURE || op === NOTHING) stack.push(out);
      else if (op === CONDITION && (arg & ~holds) === 0) stack.push(out);
    }
  }

  /** Reads a code point, and adds the instructions after it to `next`. Returns the start of a match that ends before it. */
  step(point: number, next: ThreadList, holds: number): number | undefined {
    for (let index = 0; index < this.size; index++) {
      const instruction = this.#instructions[this.#counters[index] ?? 0];
      if (instruction === undefined) continue;
      const start = this.#starts[index] ?? 0;
      // All later instructions have a lower priority than a match.
      if (instruction.op === MATCH) return start;
      if (point !== END && reads(instruction, point)) next.add(instruction.out, start, holds);
    }
    return undefined;
  }

  #has(counter: number): boolean {
    const index = this.#indices[counter] ?? 0;
    return index < this.size && this.#counters[index] === counter;
  }
}

function reads(instruction: Instruction, point: number): boolean {
  switch (instruction.op) {
    case CHARACTER:
      return instruction.runes[0] === point;
    case CHARACTERS:
      return instruction.matchRune(point);
    case ANY:
      return true;
    case ANY_NOT_NEWLINE:
      return point !== NEWLINE;
    default:
      return false;
  }
}

const NEWLINE = 10;
/** The place of a code point before or after the text. */
const END = -1;

function pointAt(text: string, at: number): number {
  return text.codePointAt(at) ?? END;
}

function pointBefore(text: string, at: number): number {
  const point = text.codePointAt(at - 2) ?? END;
  return at >= 2 && point > 0xffff ? point : text.charCodeAt(at - 1);
}

/** The conditions that hold between two code points, as bits: of lines, of the text, and of words. */
function conditions(before: number, after: number): number {
  const starts = before === END ? 5 : before === NEWLINE ? 1 : 0;
  const ends = after === END ? 10 : after === NEWLINE ? 2 : 0;
  return starts | ends | (isWord(before) === isWord(after) ? 32 : 16);
}

function isWord(point: number): boolean {
  const isDigit = point >= 48 && point <= 57;
  return isDigit || (point >= 65 && point <= 90) || (point >= 97 && point <= 122) || point === 95;
}

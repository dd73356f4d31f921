import { LruMap } from '../caches/index.js';
import {
  checkExpression,
  compileExpression,
  type Environment,
  parseExpressionInSteps,
  type Program,
} from '../cel/index.js';
import type { Steps } from '../work/index.js';

/** The source of a program. The expression is known to have no problem. */
export interface ProgramSource {
  readonly source: string;
  readonly environment: Environment;
}

/** What a program takes beyond its source, in characters. */
const OVERHEAD = 20;

/**
 * The programs of expressions. A program takes some 50 bytes for each character of its source, so only those that were
 * used last are kept, and others are compiled again when they run.
 */
export class Programs {
  readonly #programs: LruMap<ProgramSource, Program>;
  readonly #making = new WeakMap<ProgramSource, Generator<undefined, Program | undefined, undefined>>();

  /** `characters`: the limit of the sources of all kept programs together. */
  constructor(characters: number) {
    this.#programs = new LruMap(characters, ({ source }) => source.length + OVERHEAD);
  }

  keep(expression: ProgramSource, program: Program): void {
    this.#programs.set(expression, program);
  }

  /** Undefined if the program must be compiled again. */
  kept(expression: ProgramSource): Program | undefined {
    return this.#programs.get(expression);
  }

  /** Evaluations that need the same program at once make it together: each runs some of the steps. */
  *make(expression: ProgramSource): Steps<Program> {
    const steps = this.#making.get(expression) ?? this.#make(expression);
    this.#making.set(expression, steps);
    for (;;) {
      const step = steps.next();
      // Another evaluation may have run the last step. The steps have ended then, without a value.
      const program = this.kept(expression) ?? (step.done === true ? step.value : undefined);
      if (program !== undefined) return program;
      if (step.done === true) return yield* this.#make(expression);
      yield;
    }
  }

  *#make(expression: ProgramSource): Steps<Program> {
    const { source, environment } = expression;
    const root = yield* parseExpressionInSteps(source);
    yield;
    const checked = checkExpression(source, root, environment);
    yield;
    const program = compileExpression(checked, environment);
    this.#making.delete(expression);
    this.keep(expression, program);
    return program;
  }
}

/** The programs of all expressions of this process. They take at most 150 to 300 MB. */
export const programs = new Programs(4 * 1024 * 1024);

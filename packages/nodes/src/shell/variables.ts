import { FileProblem } from './file-tree.js';

/** The longest text of commands, word and value: Linux' `MAX_ARG_STRLEN`. In characters. */
export const LONGEST_TEXT = 128 * 1024;
/** All words of a command, and all variables that a shell sets: Linux' usual `ARG_MAX`. In characters. */
const MOST_TEXT = 2 * 1024 * 1024;

/** The variables of a shell. They are bounded, because a line may double one. */
export class Variables implements Iterable<readonly [string, string]> {
  readonly #values: Map<string, string>;
  #length = 0;

  /** `initial`: those of the container, which do not count. */
  constructor(initial: ReadonlyMap<string, string>) {
    this.#values = new Map(initial);
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: string): void {
    this.#length += name.length + value.length - (this.#values.get(name)?.length ?? 0);
    if (this.#length > MOST_TEXT) throw tooLong();
    this.#values.set(name, value);
  }

  /** Those that commands see: not `$0`, `$1` and so on, which only the shell knows. */
  *[Symbol.iterator](): Generator<readonly [string, string]> {
    for (const variable of this.#values) if (!/^\d/.test(variable[0])) yield variable;
  }
}

/** Throws a {@link FileProblem} for words that no system passes to a command. */
export function checkWords(words: readonly string[]): void {
  if (words.reduce((sum, { length }) => sum + length + 1, 0) > MOST_TEXT) throw tooLong();
}

export function tooLong(): FileProblem {
  return new FileProblem('Argument list too long');
}

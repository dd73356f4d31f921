import { type FieldError, invalidValue } from '../status/index.js';

/** One thing wrong with a value. Its text alone tells it from others: the same text is reported once. */
export interface Problem {
  readonly text: string;
  /** Made when it is asked for: of alternatives that fail most is never shown, and values can be large. */
  readonly error: () => FieldError;
}

/** So many problems are reported of one value; the client corrects them and asks again. */
const MAXIMUM_PROBLEMS = 1000;
/** And no more, once they show so many characters. */
const MAXIMUM_SHOWN = 8 * 1024 * 1024;

/** What one validation has found, and how many of its checks went well. Upstream: kube-openapi `validate.Result`. */
export class Problems {
  readonly #problems: Problem[] = [];
  readonly #texts = new Set<string>();
  #characters = 0;
  /** Of alternatives that all fail, the one with the most is shown. */
  matches = 0;

  get count(): number {
    return this.#problems.length;
  }

  get errors(): FieldError[] {
    const errors: FieldError[] = [];
    let shown = 0;
    for (const problem of this.#problems) {
      const error = problem.error();
      errors.push(error);
      shown += error.detail.length + (error.shownValue?.length ?? 0);
      if (shown > MAXIMUM_SHOWN) break;
    }
    return errors;
  }

  add(text: string, error: () => FieldError): void {
    if (this.#problems.length >= MAXIMUM_PROBLEMS || this.#characters > MAXIMUM_SHOWN || this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#characters += text.length;
    this.#problems.push({ text, error });
  }

  merge(other: Problems): void {
    for (const { text, error } of other.#problems) this.add(text, error);
    this.matches += other.matches;
  }

  /** Forgets all but the first `count`. */
  truncate(count: number): void {
    for (const { text } of this.#problems.splice(count)) {
      this.#texts.delete(text);
      this.#characters -= text.length;
    }
  }
}

/** How a path within the value is told in field errors: below `base`, where the value stands. */
export function fieldAt(base: string, path: string): string {
  const name = path.startsWith('.') ? path.slice(1) : path;
  if (name === '') return base === '' ? '<nil>' : base;
  return base === '' ? name : `${base}.${name}`;
}

/** A problem of the value as a whole, which upstream reports without its place. */
export function unplaced(base: string, text: string): FieldError {
  return invalidValue(base === '' ? '<nil>' : base, '', text);
}

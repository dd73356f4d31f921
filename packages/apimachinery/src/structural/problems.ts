import { type FieldError, invalidValue } from '../status/index.js';

/** A problem of a value, identified by its text: equal texts are reported once. */
export interface Problem {
  readonly text: string;
  /** Built on demand: most problems of failed alternatives are never shown, and values can be large. */
  readonly error: () => FieldError;
}

/** The maximum number of problems for one value. The client corrects them and tries again. */
const MAXIMUM_PROBLEMS = 1000;
/** Problems also stop after they show this many characters. */
const MAXIMUM_SHOWN = 8 * 1024 * 1024;

/**
 * The problems that one validation has found, and how many of its checks passed. Upstream: kube-openapi
 * `validate.Result`.
 */
export class Problems {
  readonly #problems: Problem[] = [];
  readonly #texts = new Set<string>();
  #characters = 0;
  /** If all alternatives fail, the one with the most matches is reported. */
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

  /** Drops all but the first `count` problems. */
  truncate(count: number): void {
    for (const { text } of this.#problems.splice(count)) {
      this.#texts.delete(text);
      this.#characters -= text.length;
    }
  }
}

/** A path within the value as field errors show it: below `base`, the path of the value. */
export function fieldAt(base: string, path: string): string {
  const name = path.startsWith('.') ? path.slice(1) : path;
  if (name === '') return base === '' ? '<nil>' : base;
  return base === '' ? name : `${base}.${name}`;
}

/** A problem of the whole value, which upstream reports without its path. */
export function unplaced(base: string, text: string): FieldError {
  return invalidValue(base === '' ? '<nil>' : base, '', text);
}

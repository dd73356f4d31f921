import { RE2JS, RE2JSException } from 're2js';
import { LruMap } from '../caches/index.js';
import { forgetStates, rememberedBytes } from './pattern-engine.js';
import { compilationWork, patternSize } from './pattern-size.js';

/** At most, of a compiled pattern and of a text. */
const BYTES_OF_STATE = 250;
const BYTES_OF_CHARACTER = 2;

/** Go's words for a pattern whose compilation takes too long. */
export const EXPRESSION_TOO_LARGE = 'error parsing regexp: expression too large';

/** Where a text matches a pattern, in UTF-16 units. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/**
 * Compiles patterns in RE2 syntax, which matches in linear time, and keeps those that were used last. What a pattern takes has
 * little to do with its length: one of 300 characters may have 40,000 states, and remember eight megabytes of sets of them
 * after a search.
 */
export class CompiledPatterns {
  readonly #kept: LruMap<string, RE2JS | string>;
  readonly #mostRemembered: number;
  #remembered = 0;

  /** In bytes: how much memory the kept patterns may take together, and how much the states that they remember. */
  constructor(most: number, mostRemembered: number) {
    this.#kept = new LruMap(most, bytesOf);
    this.#mostRemembered = mostRemembered;
  }

  /**
   * The compiled pattern, or Go's words for what is wrong with it.
   *
   * @param pay called with the work to compile it, before it is compiled; throws to refuse that. Not for a kept pattern.
   */
  get(source: string, pay: (work: number) => void = () => {}): RE2JS | string {
    const known = this.#kept.get(source);
    if (known !== undefined) return known;
    const work = compilationWork(source);
    if (work === Number.POSITIVE_INFINITY) return EXPRESSION_TOO_LARGE;
    pay(work);
    const made = compile(source);
    this.#kept.set(source, made);
    return made;
  }

  /** Whether a text matches. */
  matches(pattern: RE2JS, text: string): boolean {
    return this.#search(pattern, () => pattern.test(text));
  }

  /** The first match at or after `from`. */
  find(pattern: RE2JS, text: string, from: number): Match | undefined {
    return this.#search(pattern, () => {
      const matcher = pattern.matcher(text);
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
    });
  }

  /** When the patterns remember too much together, all forget it. A pattern that is no longer kept counts until then. */
  #search<T>(pattern: RE2JS, search: () => T): T {
    const before = rememberedBytes(pattern);
    const result = search();
    this.#remembered += rememberedBytes(pattern) - before;
    if (this.#remembered > this.#mostRemembered) {
      for (const each of [pattern, ...this.#kept.values()]) if (typeof each !== 'string') forgetStates(each);
      this.#remembered = 0;
    }
    return result;
  }
}

/** Of all schemas and expressions of this process. */
export const compiledPatterns = new CompiledPatterns(128 * 1024 * 1024, 64 * 1024 * 1024);

function bytesOf(source: string, compiled: RE2JS | string): number {
  const isValid = typeof compiled !== 'string';
  const characters = source.length + (isValid ? 0 : compiled.length);
  return characters * BYTES_OF_CHARACTER + (isValid ? patternSize(source) + 1 : 1) * BYTES_OF_STATE;
}

function compile(source: string): RE2JS | string {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    throw error;
  }
}

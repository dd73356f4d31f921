import { TextLimit } from './text-limit.js';

/** Upstream stops counting strict errors here. */
const MAXIMUM_ERRORS = 100;

/** Strict decoding errors of one document: in the order found, without repetition, in limited number and length. */
export class StrictErrors {
  readonly #texts = new Set<string>();
  readonly #limit = new TextLimit();

  /** Checked before a text is formatted, which may be long. */
  get isFull(): boolean {
    return this.#texts.size >= MAXIMUM_ERRORS || this.#limit.isReached;
  }

  get texts(): string[] {
    return [...this.#texts];
  }

  add(text: string): void {
    if (!this.isFull && this.#limit.admits(text)) this.#texts.add(text);
  }
}

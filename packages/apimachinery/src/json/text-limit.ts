/** A key of a megabyte is in the path of every field below it. */
const MAXIMUM_CHARACTERS = 1024 * 1024;

/**
 * Limits the total length of the texts that are reported about a document or a request. The first text is always
 * reported. Repeated texts count too, because comparing them costs time.
 */
export class TextLimit {
  #characters = 0;
  #isReached = false;

  get isReached(): boolean {
    return this.#isReached;
  }

  /** False for the first text that does not fit, and for all texts after it. */
  admits(text: string): boolean {
    this.#isReached ||= this.#characters > 0 && this.#characters + text.length > MAXIMUM_CHARACTERS;
    this.#characters += text.length;
    return !this.#isReached;
  }
}

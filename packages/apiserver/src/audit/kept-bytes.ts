import { Buffer } from 'node:buffer';

const MOST_TEXTS = 1000;
/** The bytes of longer keys are not kept, so that clients cannot fill the memory. */
const LONGEST_KEY = 1024;

/** The bytes of texts, which are made once for each key as long as keys are few. */
export class KeptBytes<K extends string | number> {
  readonly #textOf: (key: K) => string;
  readonly #kept = new Map<K, Uint8Array>();

  constructor(textOf: (key: K) => string) {
    this.#textOf = textOf;
  }

  of(key: K): Uint8Array {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const made = Buffer.from(this.#textOf(key));
    if (this.#kept.size >= MOST_TEXTS) this.#kept.clear();
    if (typeof key === 'number' || key.length <= LONGEST_KEY) this.#kept.set(key, made);
    return made;
  }
}

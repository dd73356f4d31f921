/** Bounds the memory of the table. Authors may choose part of their name, so there may be any number of them. */
const MOST_AUTHORS = 16_384;
const LARGEST_NUMBER = 0xffff_ffff;

/** Authors that the store does not have yet: their numbers by name. */
export type NewAuthors = Map<string, number>;

/**
 * Numbers the authors of writes, so that a record holds a number in place of a name. Once the table is full, each record of a new
 * author holds the name.
 */
export class AuthorTable {
  readonly #names = new Map<number, string>();
  readonly #numbers = new Map<string, number>();
  #last = 0;

  constructor(known: Iterable<readonly [number, string]>) {
    for (const [number, name] of known) {
      this.#names.set(number, name);
      this.#numbers.set(name, number);
      this.#last = Math.max(this.#last, number);
    }
  }

  nameOf(number: number): string | undefined {
    return this.#names.get(number);
  }

  /** The number of a name, 0 if it gets none. `added` receives the author if it is new. */
  numberOf(name: string, added: NewAuthors): number {
    const known = this.#numbers.get(name) ?? added.get(name);
    if (known !== undefined) return known;
    if (this.#names.size + added.size >= MOST_AUTHORS || this.#last >= LARGEST_NUMBER) return 0;
    this.#last += 1;
    added.set(name, this.#last);
    return this.#last;
  }

  /** Adds the authors that a commit has stored. Call it only after the commit has succeeded. */
  learn(added: NewAuthors): void {
    for (const [name, number] of added) {
      this.#names.set(number, name);
      this.#numbers.set(name, number);
    }
  }
}

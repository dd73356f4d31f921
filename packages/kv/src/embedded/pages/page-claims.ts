const USED = 1;
const FREE = 2;

/** The pages of a file that are in use or free. No page may be both, or either of them twice. */
export class PageClaims {
  readonly #claims: Uint8Array;

  /** `end`: the number after that of the last page. */
  constructor(end: number) {
    this.#claims = new Uint8Array(end);
  }

  /** Claims pages in use. Returns whether they are in the file and were not claimed. */
  use(first: number, count: number): boolean {
    if (!this.#exist(first, count) || this.#firstClaimed(first, count) !== undefined) return false;
    this.#claims.fill(USED, first, first + count);
    return true;
  }

  /** Claims free pages. Returns what contradicts that, as a sentence fragment. */
  free(first: number, count: number): string | undefined {
    if (!this.#exist(first, count)) return `page ${first} is listed as free`;
    const claimed = this.#firstClaimed(first, count);
    if (claimed === undefined) this.#claims.fill(FREE, first, first + count);
    else if (this.#claims[claimed] === USED) return `page ${claimed} is in use and listed as free`;
    else return `page ${claimed} is listed as free twice`;
    return undefined;
  }

  /** The first two pages describe the file. */
  #exist(first: number, count: number): boolean {
    return first >= 2 && count >= 1 && first + count <= this.#claims.length;
  }

  #firstClaimed(first: number, count: number): number | undefined {
    for (let page = first; page < first + count; page += 1) if (this.#claims[page] !== 0) return page;
    return undefined;
  }
}

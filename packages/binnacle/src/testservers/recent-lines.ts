/** The last lines of a log. */
export class RecentLines {
  readonly #most: number;
  #lines: string[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** `line` may end with a newline. */
  add(line: string): void {
    this.#lines.push(line.trimEnd());
    // Dropping half at a time keeps the cost of a line constant.
    if (this.#lines.length >= 2 * this.#most) this.#lines = this.#lines.slice(-this.#most);
  }

  /** Oldest first. */
  list(): readonly string[] {
    return this.#lines.slice(-this.#most);
  }
}

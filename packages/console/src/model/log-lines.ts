/** The page keeps this many lines of a log. */
export const MOST_LINES = 2000;
const LONGEST_LINE = 2000;

/** The last lines of a text that grows. */
export class LogLines {
  /** The last one has no end yet. */
  #lines: string[] = [''];
  /** How many lines before these have been dropped. */
  dropped = 0;

  add(piece: string): void {
    const [first = '', ...others] = piece.split('\n');
    const open = (this.#lines.pop() ?? '') + first;
    this.#lines.push(shortened(open), ...others.map(shortened));
    const excess = this.#lines.length - MOST_LINES;
    if (excess <= 0) return;
    this.#lines = this.#lines.slice(excess);
    this.dropped += excess;
  }

  text(): string {
    return this.#lines.join('\n');
  }
}

function shortened(line: string): string {
  return line.length > LONGEST_LINE ? line.slice(0, LONGEST_LINE) : line;
}

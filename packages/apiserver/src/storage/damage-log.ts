/** How many keys are remembered, and so how many lines are logged. */
const MAXIMUM_KEYS = 1000;

/** Logs each object that the store cannot read, once while the server runs. */
export class DamageLog {
  readonly #report: (message: string) => void;
  readonly #logged = new Set<string>();

  constructor(report: (message: string) => void) {
    this.#report = report;
  }

  found(keys: readonly string[]): void {
    for (const key of keys) {
      if (this.#logged.has(key) || this.#logged.size > MAXIMUM_KEYS) continue;
      this.#logged.add(key);
      const isLast = this.#logged.size > MAXIMUM_KEYS;
      this.#report(isLast ? 'the stored data of more objects cannot be read' : lineOf(key));
    }
  }
}

function lineOf(key: string): string {
  return `the stored data of ${JSON.stringify(key)} is damaged, or cannot be decrypted or decoded; requests that read it fail`;
}

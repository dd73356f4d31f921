import type { Fault, FaultRule } from './rule.js';

/** A rule with its hit count. */
export class FaultEntry implements Fault {
  readonly id: string;
  readonly rule: FaultRule;
  readonly #removed: (entry: FaultEntry) => void;
  #hits = 0;

  constructor(id: string, rule: FaultRule, removed: (entry: FaultEntry) => void) {
    this.id = id;
    this.rule = rule;
    this.#removed = removed;
  }

  get hits(): number {
    return this.#hits;
  }

  /** Counts one more hit, unless the rule is spent. */
  take(): boolean {
    if (this.#hits >= (this.rule.times ?? Number.POSITIVE_INFINITY)) return false;
    this.#hits++;
    return true;
  }

  count(hits: number): void {
    this.#hits += hits;
  }

  remove(): void {
    this.#removed(this);
  }

  [Symbol.dispose](): void {
    this.remove();
  }
}

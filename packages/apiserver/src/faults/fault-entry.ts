import type { Fault, FaultRule } from './rule.js';

/** A rule, and how often it has acted. */
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

  /** Counts an act, if it may act once more. */
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

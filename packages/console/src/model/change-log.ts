import type { Change } from './change.js';

/** Changes that are kept for the list. */
export const MOST_CHANGES = 5000;

/** The newest changes, oldest first. Drops in large steps, so that a change costs little. */
export class ChangeLog {
  #changes: Change[] = [];
  #dropped = 0;
  #total = 0;

  /** How many were dropped: by this log or on the way to it. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How many there have been. */
  get total(): number {
    return this.#total;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** `dropped`: the number of changes before these that never arrived. */
  add(changes: readonly Change[], dropped = 0): void {
    this.#dropped += dropped;
    this.#total += changes.length + dropped;
    for (const change of changes) this.#changes.push(change);
    this.#trim();
  }

  /** Adds changes from before, in any order, and sorts all by time. */
  merge(changes: readonly Change[]): void {
    const known = new Set(this.#changes.map(keyOf));
    const fresh = changes.filter((change) => !known.has(keyOf(change)));
    this.#changes = [...fresh, ...this.#changes].sort((a, b) => a.time - b.time);
    this.#trim();
  }

  #trim(): void {
    if (this.#changes.length < 2 * MOST_CHANGES) return;
    this.#dropped += this.#changes.length - MOST_CHANGES;
    this.#changes = this.#changes.slice(-MOST_CHANGES);
  }
}

const keyOf = ({ uid, version, type }: Change): string => `${uid} ${version} ${type}`;

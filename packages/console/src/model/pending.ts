import type { Change } from './change.js';
import type { Row } from './row.js';
import type { Batch } from './wire.js';

/** Changes that wait for a slow page; what comes after replaces the oldest. */
const MOST_CHANGES = 2000;
/** Rows of one line, about 300 bytes each. */
const MOST_ROWS = 2000;

/**
 * What a page has not read yet. A row replaces the one that waits for the same object, so the size is bounded by the
 * number of objects, however long the page reads nothing.
 */
export class Pending {
  readonly #rows = new Map<string, Row | undefined>();
  readonly #faults = new Map<number, string>();
  #changes: Change[] = [];
  #left = 0;
  #complete = false;

  set(row: Row): void {
    this.#rows.set(row.uid, row);
  }

  delete(uid: string): void {
    this.#rows.set(uid, undefined);
  }

  add(change: Change): void {
    this.#changes.push(change);
    // In large steps, so that a change costs little.
    if (this.#changes.length < 2 * MOST_CHANGES) return;
    this.#left += this.#changes.length - MOST_CHANGES;
    this.#changes = this.#changes.slice(-MOST_CHANGES);
  }

  /** An empty reason: the kind can be read again. */
  fault(kind: number, reason: string): void {
    this.#faults.set(kind, reason);
  }

  /** The objects that existed at the start are all among those before. */
  complete(): void {
    this.#complete = true;
  }

  /** The next line, removed from what waits; undefined: nothing waits. */
  take(): Batch | undefined {
    const rows: Row[] = [];
    const gone: string[] = [];
    for (const [uid, row] of this.#rows) {
      if (rows.length + gone.length === MOST_ROWS) break;
      this.#rows.delete(uid);
      if (row === undefined) gone.push(uid);
      else rows.push(row);
    }
    const changes = this.#changes.splice(0, MOST_ROWS);
    const faults = [...this.#faults];
    this.#faults.clear();
    const left = this.#left;
    this.#left = 0;
    const complete = this.#complete && this.#rows.size === 0;
    if (complete) this.#complete = false;
    const batch: Batch = {
      ...(rows.length === 0 ? {} : { rows }),
      ...(gone.length === 0 ? {} : { gone }),
      ...(changes.length === 0 ? {} : { changes }),
      ...(faults.length === 0 ? {} : { faults }),
      ...(left === 0 ? {} : { left }),
      ...(complete ? { complete: '' } : {}),
    };
    return Object.keys(batch).length === 0 ? undefined : batch;
  }
}

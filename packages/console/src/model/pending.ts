import type { Change } from './change.js';
import type { Row } from './row.js';
import type { Batch } from './wire.js';

/** Changes that wait for a slow page. At twice this number the oldest are dropped, so that a change costs little. */
const MOST_CHANGES = 2000;
/** The most rows, and the most changes, of one batch. A row has about 300 bytes. */
const MOST_PER_BATCH = 2000;

/**
 * What a page has not read yet. A row replaces the one that waits for the same object, and an object that came and went
 * meanwhile leaves nothing. So the size is bounded by the objects that exist and those that the page knows, however long
 * the page reads nothing.
 */
export class Pending {
  readonly #rows = new Map<string, Row | undefined>();
  /** Of these, objects that the page does not know. */
  readonly #unknown = new Set<string>();
  readonly #faults = new Map<number, string>();
  #changes: Change[] = [];
  #dropped = 0;
  #complete = false;

  /** A new object. */
  add(row: Row): void {
    // The page still knows an object whose deletion waits.
    if (!this.#rows.has(row.uid)) this.#unknown.add(row.uid);
    this.#rows.set(row.uid, row);
  }

  /** A new version of an object. */
  set(row: Row): void {
    this.#rows.set(row.uid, row);
  }

  delete(uid: string): void {
    if (this.#unknown.delete(uid)) this.#rows.delete(uid);
    else this.#rows.set(uid, undefined);
  }

  change(change: Change): void {
    this.#changes.push(change);
    if (this.#changes.length < 2 * MOST_CHANGES) return;
    this.#dropped += this.#changes.length - MOST_CHANGES;
    this.#changes = this.#changes.slice(-MOST_CHANGES);
  }

  /** An empty reason: the kind can be read again. */
  fault(kind: number, reason: string): void {
    this.#faults.set(kind, reason);
  }

  /** All objects that existed at the start have been added. */
  complete(): void {
    this.#complete = true;
  }

  /** The next line, removed from what waits; undefined: nothing waits. */
  take(): Batch | undefined {
    const rows: Row[] = [];
    const gone: string[] = [];
    for (const [uid, row] of this.#rows) {
      if (rows.length + gone.length === MOST_PER_BATCH) break;
      this.#rows.delete(uid);
      this.#unknown.delete(uid);
      if (row === undefined) gone.push(uid);
      else rows.push(row);
    }
    const changes = this.#changes.splice(0, MOST_PER_BATCH);
    const faults = [...this.#faults];
    this.#faults.clear();
    const dropped = this.#dropped;
    this.#dropped = 0;
    const complete = this.#complete && this.#rows.size === 0;
    if (complete) this.#complete = false;
    const batch: Batch = {
      ...(rows.length === 0 ? {} : { rows }),
      ...(gone.length === 0 ? {} : { gone }),
      ...(changes.length === 0 ? {} : { changes }),
      ...(faults.length === 0 ? {} : { faults }),
      ...(dropped === 0 ? {} : { dropped }),
      ...(complete ? { complete: '' } : {}),
    };
    return Object.keys(batch).length === 0 ? undefined : batch;
  }
}

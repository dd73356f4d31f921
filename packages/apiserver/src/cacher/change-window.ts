import type { ObjectChange } from './event.js';

export interface ChangeWindowOptions {
  /** Maximum age of a change, in milliseconds. */
  readonly ageMs: number;
  /** Maximum number of changes. */
  readonly size: number;
  /** Maximum number of bytes. */
  readonly bytes: number;
}

interface WindowEntry {
  readonly change: ObjectChange;
  /** Milliseconds. */
  readonly at: number;
}

/** The number of newest changes whose events keep their encoded frames. */
const RECENT_CHANGES = 128;

/** The recent changes of one resource, in order. Watches start from them, and past states are computed from them. */
export class ChangeWindow {
  readonly #options: ChangeWindowOptions;
  #entries: WindowEntry[] = [];
  #bytes = 0;
  #start = 0;

  constructor(options: ChangeWindowOptions) {
    this.#options = options;
  }

  /** The window has every change after this revision. */
  get start(): number {
    return this.#start;
  }

  /** The maximum number of changes. */
  get capacity(): number {
    return this.#options.size;
  }

  reset(start: number): void {
    this.#entries = [];
    this.#bytes = 0;
    this.#start = start;
  }

  push(change: ObjectChange, at: number): void {
    this.#entries.push({ change, at });
    this.#bytes += sizeOf(change);
    this.#entries.at(-1 - RECENT_CHANGES)?.change.settle();
  }

  /** Whether nothing has changed after `revision`, which must not be before the start. */
  isUnchangedSince(revision: number): boolean {
    const newest = this.#entries.at(-1);
    return newest === undefined || newest.change.revision <= revision;
  }

  /** The changes after `revision`, oldest first. `revision` must not be before the start. */
  *after(revision: number): Generator<ObjectChange> {
    let index = this.#entries.length;
    while (index > 0 && (this.#entries[index - 1]?.change.revision ?? 0) > revision) index--;
    for (; index < this.#entries.length; index++) {
      const entry = this.#entries[index];
      if (entry !== undefined) yield entry.change;
    }
  }

  /**
   * Drops changes over the limits, several at a time, so that the common event costs nothing. Never splits a
   * revision.
   */
  trim(now: number): void {
    const oldest = this.#entries[0];
    if (oldest === undefined) return;
    const { ageMs, size, bytes } = this.#options;
    const fits = this.#entries.length <= size * 1.125 && this.#bytes <= bytes * 1.125;
    if (fits && now - oldest.at <= ageMs * 1.25) return;
    let drop = 0;
    for (let entry = this.#entries[drop]; entry !== undefined; entry = this.#entries[drop]) {
      const tooMuch = this.#entries.length - drop > size || this.#bytes > bytes;
      const begun = entry.change.revision === this.#start;
      if (!tooMuch && !begun && now - entry.at <= ageMs) break;
      this.#start = entry.change.revision;
      this.#bytes -= sizeOf(entry.change);
      drop++;
    }
    this.#entries.splice(0, drop);
  }
}

/** The bytes of the newest object that the change holds. The one before a write belongs to an earlier change. */
function sizeOf({ current, previous }: ObjectChange): number {
  return (current ?? previous)?.size ?? 0;
}

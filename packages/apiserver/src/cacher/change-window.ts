import type { ObjectChange } from './event.js';

export interface ChangeWindowOptions {
  /** Changes are kept this long, milliseconds... */
  readonly ageMs: number;
  /** ...but not more than so many... */
  readonly size: number;
  /** ...nor more than so many bytes. */
  readonly bytes: number;
}

interface WindowEntry {
  readonly change: ObjectChange;
  /** Milliseconds. */
  readonly at: number;
}

/** So many of the newest changes keep the encoded forms of their events. */
const RECENT_CHANGES = 128;

/** The recent changes of one resource, in order: what watches start from, and what past states are told by. */
export class ChangeWindow {
  readonly #options: ChangeWindowOptions;
  #entries: WindowEntry[] = [];
  #bytes = 0;
  #start = 0;

  constructor(options: ChangeWindowOptions) {
    this.#options = options;
  }

  /** All changes after this revision are here. */
  get start(): number {
    return this.#start;
  }

  /** So many changes are kept at most. */
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

  /** Whether nothing has changed after `revision`; only for revisions from the start on. */
  isUnchangedSince(revision: number): boolean {
    const newest = this.#entries.at(-1);
    return newest === undefined || newest.change.revision <= revision;
  }

  /** The changes after `revision`, oldest first; only for revisions from the start on. */
  *after(revision: number): Generator<ObjectChange> {
    let index = this.#entries.length;
    while (index > 0 && (this.#entries[index - 1]?.change.revision ?? 0) > revision) index--;
    for (; index < this.#entries.length; index++) {
      const entry = this.#entries[index];
      if (entry !== undefined) yield entry.change;
    }
  }

  /** Drops what is too old or too much, in slices, so that the common event pays nothing. Never splits a revision. */
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

function sizeOf(change: ObjectChange): number {
  return change.current?.size ?? 0;
}

import type { Database } from 'lmdb';
import { damagedKeys, type IndexEntry, type Pointer, type RecordHeader } from '../engine/index.js';
import { KVError } from '../interface/index.js';
import { decodePointer, inspectPointer } from './format/layout.js';

/** Sorts after all UTF-8 text. */
const BEHIND_TEXT = Buffer.from([0xff]);
const LEAST_KEY = Buffer.from([0]);

type Entry =
  | { readonly sound: true; readonly key: Buffer; readonly pointer: Pointer }
  /** `name`: the key as written; undefined if nothing reveals it. */
  | { readonly sound: false; readonly key: Buffer; readonly name: string | undefined; readonly modRevision: number };

/**
 * Reads of the index that tolerate corrupt entries.
 *
 * A corrupt key can end a search on the wrong side of it, but no further, because all other keys are in order. So a
 * search continues past corrupt entries in both directions up to an intact one; a key not found by then is absent.
 * Intact keys out of order are damage of the tree itself, and an error.
 */
export class VerifiedIndex {
  readonly #table: Database<Buffer, Buffer>;
  /** The header of a revision's record; undefined without a trustworthy one. */
  readonly #header: (revision: number) => RecordHeader | undefined;

  constructor(table: Database<Buffer, Buffer>, header: (revision: number) => RecordHeader | undefined) {
    this.#table = table;
    this.#header = header;
  }

  /** Undefined if the key is certainly absent. Throws `corrupt` if the key's entry is, and names the key. */
  pointer(key: string): Pointer | undefined {
    if (key === '') return undefined;
    const bytes = Buffer.from(key);
    const value = this.#table.getBinaryFast(bytes);
    const found = value === undefined ? undefined : decodePointer(bytes, value);
    if (found !== undefined) return found;
    let suspect: DamagedEntry | undefined;
    for (const entry of this.#from(bytes)) {
      if (!entry.sound) {
        if (entry.name === key || entry.name === undefined) suspect ??= entry;
        continue;
      }
      const order = Buffer.compare(entry.key, bytes);
      if (order === 0) return entry.pointer;
      if (order > 0) break;
    }
    if (suspect === undefined) return undefined;
    throw damagedKeys([{ key: suspect.name ?? suspect.key.toString(), revision: suspect.modRevision }]);
  }

  /**
   * Entries under `prefix`, starting at `from`, in key order, including corrupt ones. Throws `corrupt` for keys out of
   * order.
   */
  scan(prefix: string, from: string, limit: number): IndexEntry[] {
    const start = from === '' ? LEAST_KEY : Buffer.from(from);
    const end = Buffer.concat([Buffer.from(prefix), BEHIND_TEXT]);
    const isWithin = (key: Buffer): boolean => Buffer.compare(key, start) >= 0 && Buffer.compare(key, end) < 0;
    const entries: IndexEntry[] = [];
    for (const entry of this.#from(start)) {
      if (entry.sound) {
        const key = entry.key.toString();
        if (!key.startsWith(prefix)) break;
        const { createRevision, modRevision } = entry.pointer;
        entries.push({ key, createRevision, modRevision });
      } else if (entry.name === undefined || isWithin(Buffer.from(entry.name))) {
        const key = entry.name ?? entry.key.toString();
        entries.push({ key, createRevision: 0, modRevision: entry.modRevision, damaged: true });
      }
      if (entries.length >= limit) break;
    }
    return entries;
  }

  /** All intact entries with a key at or after `start`, in key order, and all corrupt ones that may have such a key. */
  *#from(start: Buffer): Generator<Entry> {
    const before = this.#before(start);
    yield* before;
    let misled = before.length > 0;
    let last = before.findLast(({ sound }) => sound)?.key;
    for (const { key, value } of this.#table.getRange({ start })) {
      const entry = this.#entry(key, value);
      if (!entry.sound) {
        misled = true;
        // The search from the other side also finds it if it has the wanted key.
        if (!key.equals(start) || !before.some((each) => each.key.equals(key))) yield entry;
        continue;
      }
      if (last === undefined || Buffer.compare(key, last) <= 0) {
        if (Buffer.compare(key, start) < 0) {
          if (misled) continue;
          throw outOfOrder(key);
        }
        if (last !== undefined) throw outOfOrder(key);
      }
      last = key;
      yield entry;
    }
  }

  /**
   * Entries that a search for `start` may have skipped: those before its end, back to the first intact one before
   * `start`.
   */
  #before(start: Buffer): Entry[] {
    const passed: Entry[] = [];
    for (const { key, value } of this.#table.getRange({ start, reverse: true })) {
      const entry = this.#entry(key, value);
      if (entry.sound) {
        const order = Buffer.compare(key, start);
        if (order < 0) break;
        // The search ended at this entry, so the forward scan includes it.
        if (order === 0 && passed.length === 0) continue;
        if (passed.length === 0) throw outOfOrder(key);
      }
      passed.unshift(entry);
    }
    return passed;
  }

  #entry(key: Buffer, value: Buffer): Entry {
    const pointer = decodePointer(key, value);
    return pointer === undefined ? this.#damaged(key, value) : { sound: true, key, pointer };
  }

  /** Determines the key of a corrupt entry from its own checksums, or from the record that it points to. */
  #damaged(key: Buffer, value: Buffer): DamagedEntry {
    const { keyIsSound, pointerIsSound, pointer } = inspectPointer(key, value);
    const shown = key.toString();
    if (keyIsSound) return { sound: false, key, name: shown, modRevision: 0 };
    const recorded = this.#header(pointer.modRevision)?.key;
    if (pointerIsSound) return { sound: false, key, name: recorded, modRevision: pointer.modRevision };
    return { sound: false, key, name: recorded === shown ? shown : undefined, modRevision: 0 };
  }
}

type DamagedEntry = Extract<Entry, { sound: false }>;

function outOfOrder(key: Buffer): KVError {
  return new KVError('corrupt', `the index of the store is out of order at ${JSON.stringify(key.toString())}`);
}

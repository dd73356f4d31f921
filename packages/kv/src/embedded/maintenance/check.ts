import type { Pointer, RecordHeader } from '../../engine/index.js';
import { KVError } from '../../interface/index.js';
import { decodeRecord } from '../format/condensed-record.js';
import { decodeForgottenState, decodeNote, decodePointer, readNumber } from '../format/layout.js';
import { decodeHeader } from '../format/record.js';
import { PURGED_KEY } from '../format/purged-key.js';
import { AUTHOR_PREFIX, FORGOTTEN_PREFIX, META_NUMBERS, NOTE_PREFIX } from '../format/meta.js';
import type { TableName } from '../pages/page-tree.js';
import type { MaintenanceOptions } from './progress.js';
import { openSnapshot, type Snapshot } from './snapshot.js';

/** The first problems are reported, the rest only counted. */
const PROBLEMS_KEPT = 20;

export interface CheckReport {
  readonly revision: number;
  readonly compactedRevision: number;
  readonly keys: number;
  /** Records in the log, including those of current values. */
  readonly records: number;
  /** The total size of the current values. */
  readonly valueBytes: number;
  readonly fileBytes: number;
  /** The number of problems, and the first of them as sentences. For an intact store: 0 and none. */
  readonly problemCount: number;
  readonly problems: readonly string[];
}

export interface CheckOptions extends MaintenanceOptions {
  /** Whether a value that is not JSON is an object in another encoding. Default: there are none. */
  readonly isEncoded?: (value: Uint8Array) => boolean;
}

/**
 * Reads all of a store, running or not, at one revision, and verifies it. Keys and values match one to one. Revisions
 * have no gap since the last compaction. Each event continues the life of its key. Values are objects, and the expiry
 * table agrees with them. Changes nothing. Rejects if the store cannot be opened.
 */
export async function checkStore(options: CheckOptions): Promise<CheckReport> {
  const { directory, progress = () => undefined, signal, isEncoded = () => false } = options;
  await using snapshot = await openSnapshot(directory, signal);
  const check = new Check(snapshot, isEncoded);
  for await (const { key, value } of snapshot.entries('meta')) check.meta(key.toString(), value);
  const records = snapshot.count('log');
  let done = 0;
  for await (const { key, value } of snapshot.entries('log')) {
    check.record(key, value);
    progress('log', (done += 1), records);
  }
  check.endOfLog();
  const keys = snapshot.count('index');
  done = 0;
  for await (const { key, value } of snapshot.entries('index')) {
    check.key(key, value);
    progress('keys', (done += 1), keys);
  }
  for await (const { key, value } of snapshot.entries('expiring')) check.expiry(key, value);
  check.end();
  const { revision, compactedRevision, fileBytes } = snapshot;
  const { valueBytes, problemCount, problems } = check;
  return { revision, compactedRevision, keys, records, valueBytes, fileBytes, problemCount, problems };
}

class Check {
  valueBytes = 0;
  problemCount = 0;
  readonly problems: string[] = [];
  readonly #snapshot: Snapshot;
  readonly #isEncoded: (value: Uint8Array) => boolean;
  /** Values that no later event supersedes. At the end these must be exactly those of the index. */
  readonly #heads = new Set<number>();
  /** By prefix: up to which event former values may be forgotten. */
  readonly #forgotten = new Map<string, number>();
  readonly #lastKeys = new Map<TableName, Buffer>();
  #last: number;
  #expiring = 0;

  constructor(snapshot: Snapshot, isEncoded: (value: Uint8Array) => boolean) {
    this.#snapshot = snapshot;
    this.#isEncoded = isEncoded;
    const { revision, compactedRevision, removedRevision } = snapshot;
    this.#last = Math.max(removedRevision, 1);
    if (compactedRevision > revision || removedRevision > compactedRevision) {
      this.#found(`compacted to ${compactedRevision}, removed to ${removedRevision}, at revision ${revision}`);
    }
  }

  meta(name: string, value: Buffer): void {
    const known: readonly string[] = ['format', ...META_NUMBERS];
    if (name.startsWith(AUTHOR_PREFIX)) {
      if (decodeNote(name, value) === undefined) this.#found(`the name of ${name} is damaged`);
    } else if (name.startsWith(NOTE_PREFIX)) {
      if (decodeNote(name, value) === undefined) this.#found(`the note ${JSON.stringify(name)} is damaged`);
    } else if (name.startsWith(FORGOTTEN_PREFIX)) {
      const state = decodeForgottenState(name, value);
      if (state === undefined) this.#found(`the state of ${JSON.stringify(name)} is damaged`);
      else this.#forgotten.set(name.slice(FORGOTTEN_PREFIX.length), state.revision);
    } else if (!known.includes(name)) this.#found(`meta has an unknown ${JSON.stringify(name)}`);
  }

  record(key: Buffer, bytes: Buffer): void {
    if (this.#isOutOfOrder('log', key) || key.length !== 8)
      return this.#found(`the log is out of order at ${hex(key)}`);
    const revision = readNumber(key, 0);
    const header = this.#decode(revision, bytes);
    if (revision > this.#snapshot.removedRevision) {
      if (revision !== this.#last + 1) this.#found(`${range(this.#last + 1, revision - 1)} missing from the log`);
      this.#last = revision;
      if (header !== undefined) this.#supersede(revision, header);
    } else if (header?.type === 'delete') {
      this.#found(`revision ${revision}, a deletion, should have been compacted`);
    }
    if (header?.type === 'put') this.#heads.add(revision);
  }

  endOfLog(): void {
    const { revision } = this.#snapshot;
    if (this.#last < revision) this.#found(`${range(this.#last + 1, revision)} missing from the log`);
  }

  key(keyBytes: Buffer, pointer: Buffer): void {
    if (this.#isOutOfOrder('index', keyBytes)) this.#found(`the index is out of order at ${quoted(keyBytes)}`);
    const decoded = this.#pointer(keyBytes, pointer);
    if (decoded === undefined) return;
    const { createRevision, modRevision } = decoded;
    const key = keyBytes.toString();
    const name = JSON.stringify(key);
    if (!this.#heads.delete(modRevision)) {
      const present = this.#snapshot.record(modRevision) !== undefined;
      this.#found(`key ${name}: its value, revision ${modRevision}, is ${present ? 'not the newest' : 'missing'}`);
    }
    const bytes = this.#snapshot.record(modRevision);
    if (bytes === undefined) return;
    const header = this.#decode(modRevision, bytes, false);
    if (header === undefined) return;
    if (header.key !== key) this.#found(`key ${name}: revision ${modRevision} is of ${JSON.stringify(header.key)}`);
    if (header.createRevision !== createRevision || header.createRevision > modRevision) {
      this.#found(`key ${name}: index and log differ in when it was created`);
    }
    if (header.isForgotten === true) this.#found(`key ${name}: the newest value is forgotten`);
    if (header.expiresAt > 0) this.#expiring += 1;
    this.valueBytes += this.#value(modRevision, bytes)?.length ?? 0;
  }

  expiry(place: Buffer, keyBytes: Buffer): void {
    if (this.#isOutOfOrder('expiring', place) || place.length !== 16) {
      return this.#found(`the table of keys that expire is out of order at ${hex(place)}`);
    }
    const [expiresAt, revision, key] = [readNumber(place, 0), readNumber(place, 8), keyBytes.toString()];
    const bytes = this.#snapshot.record(revision);
    const header = bytes === undefined ? undefined : this.#decode(revision, bytes, false);
    const pointer = this.#snapshot.pointer(Buffer.from(key));
    const current = pointer !== undefined && this.#pointer(Buffer.from(key), pointer, false)?.modRevision === revision;
    if (current && header?.expiresAt === expiresAt) this.#expiring -= 1;
    else this.#found(`the end of key ${JSON.stringify(key)} at ${expiresAt} belongs to no value`);
  }

  end(): void {
    for (const revision of this.#heads) this.#found(`the value of revision ${revision} belongs to no key`);
    if (this.#expiring > 0) this.#found(`${this.#expiring} values that expire are missing from the table of those`);
  }

  #supersede(revision: number, { key, type, createRevision, previousRevision }: RecordHeader): void {
    if (previousRevision === 0) {
      const valid = createRevision === revision && (type === 'put' || key === PURGED_KEY);
      if (!valid) this.#found(`revision ${revision} of key ${JSON.stringify(key)} has nothing before it`);
      return;
    }
    const bytes = this.#heads.delete(previousRevision) ? this.#snapshot.record(previousRevision) : undefined;
    const previous = bytes === undefined ? undefined : this.#decode(previousRevision, bytes, false);
    if (previous?.key !== key || previous.createRevision !== createRevision) {
      this.#found(`revision ${revision} of key ${JSON.stringify(key)} does not continue revision ${previousRevision}`);
    }
    if (previous?.isForgotten === true && !this.#mayForget(key, revision)) {
      this.#found(`the value of ${JSON.stringify(key)}, of revision ${previousRevision}, is forgotten too early`);
    }
  }

  #mayForget(key: string, supersededAt: number): boolean {
    return [...this.#forgotten].some(([prefix, revision]) => key.startsWith(prefix) && supersededAt <= revision);
  }

  #decode(revision: number, bytes: Buffer, report = true): RecordHeader | undefined {
    const header = this.#sound(() => decodeHeader(revision, bytes), report);
    if (!report || header === undefined || header.isForgotten === true) return header;
    const value = this.#value(revision, bytes, true);
    if (header.type === 'put' && value !== undefined && !this.#isObject(value)) {
      this.#found(`key ${JSON.stringify(header.key)}: the value of revision ${revision} is not an object`);
    }
    return header;
  }

  #value(revision: number, bytes: Buffer, report = false): Uint8Array | undefined {
    return this.#sound(() => decodeRecord(revision, bytes, (base) => this.#snapshot.record(base)), report)?.value;
  }

  #pointer(key: Buffer, bytes: Buffer, report = true): Pointer | undefined {
    const pointer = decodePointer(key, bytes);
    if (pointer === undefined && report) this.#found(`the index entry of ${quoted(key)} is damaged`);
    return pointer;
  }

  #sound<T>(decode: () => T, report: boolean): T | undefined {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof KVError)) throw error;
      if (report) this.#found(error.message);
      return undefined;
    }
  }

  #isOutOfOrder(table: TableName, key: Buffer): boolean {
    const last = this.#lastKeys.get(table);
    this.#lastKeys.set(table, key);
    return last !== undefined && Buffer.compare(last, key) >= 0;
  }

  #isObject(value: Uint8Array): boolean {
    return isJsonObject(value) || this.#isEncoded(value);
  }

  #found(problem: string): void {
    this.problemCount += 1;
    if (this.problems.length < PROBLEMS_KEPT) this.problems.push(problem);
  }
}

function range(first: number, last: number): string {
  return first === last ? `revision ${first} is` : `revisions ${first} to ${last} are`;
}

function isJsonObject(value: Uint8Array): boolean {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString());
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

function quoted(key: Buffer): string {
  return JSON.stringify(key.toString());
}

function hex(key: Buffer): string {
  return key.toString('hex');
}

import { statSync } from 'node:fs';
import {
  type Backend,
  type BackendState,
  type Expiry,
  FIRST_REVISION,
  type ForgottenState,
  type IndexEntry,
  type LogRecord,
  type Origin,
  type Pointer,
  type RecordHeader,
  unlessDamaged,
  type Write,
} from '../engine/index.js';
import { KVError } from '../interface/index.js';
import type { StoreLock } from './locks/store-lock.js';
import { appendEntry } from './append-entry.js';
import type { Environment } from './environment.js';
import { DiskSpace } from './disk/disk-space.js';
import { brokenBy, commitFailure, isSystemError, noSpace } from './disk/failure.js';
import { copyOf, decodeRecord, type RecordReader, valueIn, viewRecord } from './format/condensed-record.js';
import { encodeExpiryKey, encodeLogKey, encodePointer, readNumber, writeNumber } from './format/layout.js';
import { decodeHeader, encodeForgotten, encodeRecord, originIn, soundRevision } from './format/record.js';
import { encodeOrigin } from './format/origin.js';
import { replaceRecords } from './replace-records.js';
import { AuthorTable, type NewAuthors } from './authors.js';
import { ValueCondenser } from './condenser.js';
import { VerifiedIndex } from './verified-index.js';

/** The delay of the check of large values. By then a server has answered its first requests after the start. */
const OVERFLOW_CHECK_DELAY_MS = 10_000;
/** In place of the empty key, which LMDB refuses. */
const LEAST_KEY = Buffer.from([0]);
/** Sorts after all UTF-8 text. */
const BEHIND_TEXT = Buffer.from([0xff]);

export class EmbeddedBackend implements Backend {
  readonly condenser: ValueCondenser;
  readonly #environment: Environment;
  readonly #lock: StoreLock;
  readonly #space: DiskSpace;
  readonly #index: VerifiedIndex;
  readonly #authors: AuthorTable;
  readonly #records: RecordReader = (revision) => this.#find(revision);
  /** LMDB copies keys before it returns, so all calls share one buffer. */
  readonly #revisionKey = Buffer.alloc(8);
  #committed: number;
  /** The last revision of the commit in flight. Reads may see it before its promise resolves. */
  #inFlight = 0;
  /** Why the store no longer accepts writes. */
  #broken: KVError | undefined;
  /** A corrupt key at the end of the log may be greater than the next revision, which then cannot be appended. */
  readonly #appends: boolean;
  readonly #checking: NodeJS.Timeout;

  constructor(environment: Environment, lock: StoreLock) {
    this.#environment = environment;
    this.#lock = lock;
    this.#space = new DiskSpace(environment);
    this.#index = new VerifiedIndex(environment.index, (revision) => unlessDamaged(() => this.header(revision)));
    this.#authors = new AuthorTable(environment.readAuthors());
    const commit = (run: () => void, bytes: number): Promise<void> => this.#commit(run, bytes);
    this.condenser = new ValueCondenser({ environment, read: this.#records, commit });
    this.#committed = this.initialState().revision;
    this.#broken = environment.unwritable;
    this.#appends = this.#endsSound();
    this.#checking = setTimeout(() => void this.#checkOverflow(), OVERFLOW_CHECK_DELAY_MS).unref();
  }

  initialState(): BackendState {
    return {
      // Compaction may have removed the newest record, a deletion; `meta` still has its revision.
      revision: Math.max(FIRST_REVISION, this.#newestLogged(), this.#environment.readMeta('revision')),
      compactedRevision: this.#environment.readMeta('compacted'),
      removedRevision: this.#environment.readMeta('removed'),
      forgotten: this.#environment.readForgotten(),
    };
  }

  visibleRevision(): number {
    if (this.#inFlight === 0) return this.#committed;
    return this.#read(this.#inFlight) === undefined ? this.#committed : this.#inFlight;
  }

  pointer(key: string): Pointer | undefined {
    return this.#index.pointer(key);
  }

  header(revision: number): RecordHeader | undefined {
    const bytes = this.#find(revision);
    return bytes === undefined ? undefined : decodeHeader(revision, bytes);
  }

  record(revision: number): LogRecord | undefined {
    const bytes = this.#find(revision);
    return bytes === undefined ? undefined : decodeRecord(revision, bytes, this.#records);
  }

  origin(revision: number): Origin | undefined {
    const bytes = this.#find(revision);
    const stored = bytes === undefined ? undefined : originIn(revision, bytes);
    if (stored === undefined) return undefined;
    const { time, authorId, mark } = stored;
    const name = authorId === 0 ? stored.name : this.#authors.nameOf(authorId);
    return name === undefined || name === '' ? { time } : { time, author: { name, mark } };
  }

  view(revision: number): Pick<LogRecord, 'value' | 'tag'> | undefined {
    const bytes = this.#find(revision);
    return bytes === undefined ? undefined : viewRecord(revision, bytes, this.#records);
  }

  value(revision: number): Uint8Array | undefined {
    const bytes = this.#find(revision);
    return bytes === undefined ? undefined : valueIn(revision, bytes, this.#records);
  }

  scan(prefix: string, from: string, limit: number): IndexEntry[] {
    return this.#index.scan(prefix, from, limit);
  }

  count(prefix: string, from: string): number {
    return this.#environment.index.getKeysCount(range(prefix, from));
  }

  expiring(time: number, limit: number): Expiry[] {
    const due: Expiry[] = [];
    const end = encodeExpiryKey(time, Number.MAX_SAFE_INTEGER);
    for (const { key, value } of this.#environment.expiring.getRange({ end, inclusiveEnd: true })) {
      const expiry = { key: value.toString(), revision: readNumber(key, 8), expiresAt: readNumber(key, 0) };
      const header = unlessDamaged(() => this.header(expiry.revision));
      if (header?.key === expiry.key && header.expiresAt === expiry.expiresAt) due.push(expiry);
      if (due.length >= limit) break;
    }
    return due;
  }

  async append(writes: readonly Write[]): Promise<void> {
    const { log, index, expiring } = this.#environment;
    const last = writes.at(-1)?.revision ?? 0;
    const added: NewAuthors = new Map();
    const encoded = writes.map((write) => ({ write, bytes: this.#encode(write, added) }));
    let placed = Promise.resolve(true);
    const run = (): void => {
      for (const [name, number] of added) this.#environment.writeAuthor(number, name);
      for (const { write, bytes } of encoded) {
        const { revision, record, previousExpiresAt } = write;
        const { type, key, createRevision, previousRevision, expiresAt } = record;
        const keyBytes = Buffer.from(key);
        const place = this.#keyOf(revision);
        if (this.#appends) placed = appendEntry(log, place, bytes);
        else void log.put(place, bytes);
        if (type === 'put')
          void index.put(keyBytes, encodePointer(keyBytes, { createRevision, modRevision: revision }));
        else void index.remove(keyBytes);
        if (previousExpiresAt > 0) void expiring.remove(encodeExpiryKey(previousExpiresAt, previousRevision));
        if (expiresAt > 0) void expiring.put(encodeExpiryKey(expiresAt, revision), keyBytes);
      }
    };
    const frees = writes.every(({ forDeletion }) => forDeletion);
    const bytes = bytesOf(encoded);
    const marks = bytesOf(encoded.filter(({ write }) => write.record.type === 'put'));
    this.#inFlight = last;
    try {
      await (frees ? this.#commitFreeing(run, marks) : this.#commit(run, bytes));
      if (!(await placed)) throw this.#misplaced(last);
      this.#committed = last;
      this.#authors.learn(added);
    } catch (error) {
      this.#checkUndone(last);
      throw error;
    } finally {
      this.#inFlight = 0;
    }
  }

  async markCompacted(revision: number): Promise<void> {
    // Releases readers of killed processes, which would keep freed pages from being reused.
    this.#environment.root.readerCheck();
    await this.#commitFreeing(() => {
      this.#environment.writeMeta('revision', this.#committed);
      this.#environment.writeMeta('compacted', revision);
    });
  }

  async prepareRemoval(): Promise<void> {
    await this.#checkOverflow();
  }

  async removeRecords(revisions: readonly number[], through: number): Promise<void> {
    await this.#commitFreeing(() => {
      for (const revision of revisions) void this.#environment.log.remove(this.#keyOf(revision));
      this.#environment.writeMeta('removed', through);
    });
    // LMDB reuses freed pages two commits later, so two commits that change nothing make them available at once.
    for (let commits = this.#space.isScarce ? 2 : 0; commits > 0; commits -= 1) {
      await this.#commitFreeing(() => this.#environment.writeMeta('removed', through));
    }
  }

  async markForgotten(prefix: string, state: ForgottenState): Promise<void> {
    await this.#commitFreeing(() => this.#environment.writeForgotten(prefix, state));
  }

  async forgetValues(revisions: readonly number[], prefix: string, state: ForgottenState): Promise<void> {
    const records = revisions.flatMap((revision) => {
      const bytes = this.#find(revision);
      return bytes === undefined
        ? []
        : [{ key: encodeLogKey(revision), bytes: encodeForgotten(revision, copyOf(bytes)) }];
    });
    await this.#commitFreeing(() => {
      replaceRecords(this.#environment, records);
      this.#environment.writeForgotten(prefix, state);
    });
  }

  note(name: string): Uint8Array | undefined {
    return this.#environment.readNote(name);
  }

  /** On a full disk a note may shrink, as when a client deletes a snapshot so that history can be removed. */
  async writeNote(name: string, note: Uint8Array): Promise<void> {
    const run = (): void => this.#environment.writeNote(name, note);
    const shrinks = note.length < (this.note(name)?.length ?? 0);
    await (shrinks ? this.#commitFreeing(run) : this.#commit(run, note.length));
  }

  sizeBytes(): number {
    return statSync(this.#environment.dataFile).size;
  }

  async checkHealth(): Promise<void> {
    this.#checkWritable();
    const { directory } = this.#environment;
    if (!this.#space.has(0)) throw noSpace(directory);
    this.#space.refillReserve();
  }

  async close(): Promise<void> {
    clearTimeout(this.#checking);
    this.#environment.overflow.stop();
    try {
      await this.#environment.close();
    } finally {
      this.#lock.release();
    }
  }

  #encode({ revision, record, origin }: Write, added: NewAuthors): Buffer {
    const { author } = origin;
    const number = author === undefined ? 0 : this.#authors.numberOf(author.name, added);
    return encodeRecord(revision, record, encodeOrigin(origin, number));
  }

  /** Refuses all writes if the rest of the page check finds damage. Never rejects. */
  async #checkOverflow(): Promise<void> {
    const { overflow, dataFile } = this.#environment;
    try {
      await overflow.run();
    } catch (error) {
      this.#broken ??=
        error instanceof KVError
          ? error
          : new KVError('unavailable', `${dataFile} cannot be read: ${String(error)}`, { cause: error });
    }
  }

  /** Checks that a failed commit left nothing. Otherwise the next commit would use the same revisions again. */
  #checkUndone(last: number): void {
    this.#environment.root.resetReadTxn();
    if (this.#read(last) === undefined) return;
    const { directory } = this.#environment;
    this.#broken ??= new KVError(
      'unavailable',
      `the disk under ${directory} failed in the middle of a commit; open the store again`,
    );
  }

  #checkWritable(): void {
    this.#lock.checkPlace();
    if (this.#broken !== undefined) throw this.#broken;
  }

  async #commit(run: () => void, bytes: number): Promise<void> {
    this.#checkWritable();
    if (!this.#space.has(bytes)) throw noSpace(this.#environment.directory);
    await this.#write(run, bytes);
  }

  /** `marks`: the bytes of values that only prepare a deletion. */
  async #commitFreeing(run: () => void, marks = 0): Promise<void> {
    this.#checkWritable();
    await this.#space.lend(() => this.#write(run, marks), marks);
  }

  async #write(run: () => void, bytes: number): Promise<void> {
    try {
      await this.#environment.commit(run);
    } catch (error) {
      const { directory } = this.#environment;
      const failure = await commitFailure(error, directory, bytes);
      // LMDB overflows a buffer when it formats a system error, and a second time ends the process.
      if (isSystemError(failure.cause)) this.#broken = brokenBy(failure, directory);
      throw failure;
    }
    // LMDB keeps writing to a deleted file, which only processes that have it open can see.
    this.#lock.checkPlace();
  }

  /**
   * The revision of the last record. For corrupt records at the end of the log only the number counts, because each
   * revision has one record.
   */
  #newestLogged(): number {
    let damaged = 0;
    for (const { key, value } of this.#environment.log.getRange({ reverse: true })) {
      const revision = soundRevision(key, value);
      if (revision !== undefined) return revision + damaged;
      damaged += 1;
    }
    return damaged;
  }

  /** A page of the log that changes under the running store may hold a greater key. */
  #misplaced(revision: number): KVError {
    const { directory } = this.#environment;
    this.#broken ??= new KVError(
      'corrupt',
      `the log in ${directory} has entries after revision ${revision}; run store repair`,
    );
    return this.#broken;
  }

  #endsSound(): boolean {
    for (const { key, value } of this.#environment.log.getRange({ reverse: true, limit: 1 })) {
      return soundRevision(key, value) !== undefined;
    }
    return true;
  }

  /** Like {@link #read}, but corrupt keys, which may end a search early, cannot mislead it. */
  #find(revision: number): Buffer | undefined {
    const found = this.#read(revision);
    if (found !== undefined) return found;
    const start = Buffer.from(this.#keyOf(revision));
    for (const reverse of [false, true]) {
      for (const { key, value } of this.#environment.log.getRange({ start, reverse })) {
        if (key.equals(start)) return value;
        const order = Buffer.compare(key, start);
        const isBeyond = reverse ? order <= 0 : order > 0;
        if (isBeyond && soundRevision(key, value) !== undefined) break;
      }
    }
    return undefined;
  }

  #read(revision: number): Buffer | undefined {
    return this.#environment.log.getBinaryFast(this.#keyOf(revision));
  }

  #keyOf(revision: number): Buffer {
    writeNumber(this.#revisionKey, revision, 0);
    return this.#revisionKey;
  }
}

function range(prefix: string, from: string): { start: Buffer; end: Buffer } {
  const start = Buffer.from(from);
  return { start: start.length === 0 ? LEAST_KEY : start, end: Buffer.concat([Buffer.from(prefix), BEHIND_TEXT]) };
}

const bytesOf = (encoded: readonly { readonly bytes: Uint8Array }[]): number =>
  encoded.reduce((sum, { bytes }) => sum + bytes.length, 0);

import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { KVError } from '../../interface/index.js';
import { readNumber, writeNumber } from '../format/layout.js';

/*
 * A backup file: a header, then the current value of every key in key order:
 *
 *   header  256 bytes: `binnacle-backup {"format":2,"revision":7,"keys":2,"bytes":321,"sha256":"..."}`, spaces, newline
 *   value   length(4) revision(8) record, as in the store's log; `length` is that of the record
 *
 * The checksum covers all values, then the header's object without the checksum. Records have the store format of the
 * same number.
 */
const BACKUP_FORMAT = 2;
const OLDEST_FORMAT = 1;
const HEADER_BYTES = 256;
const MAGIC = 'binnacle-backup ';
const FRAME_BYTES = 12;
const CHUNK_BYTES = 1024 * 1024;

export interface BackupSummary {
  readonly revision: number;
  readonly keys: number;
  /** The size of the values and their frames, without the header. */
  readonly bytes: number;
}

interface Header extends BackupSummary {
  readonly format: number;
}

/** Writes a backup to an open, empty file. The backup is valid once `finish` has resolved. */
export class BackupWriter {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #bytes = 0;
  #keys = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(revision: number, record: Buffer): Promise<void> {
    const frame = Buffer.allocUnsafe(FRAME_BYTES);
    frame.writeUInt32BE(record.length, 0);
    writeNumber(frame, revision, 4);
    this.#pending.push(frame, record);
    this.#pendingBytes += FRAME_BYTES + record.length;
    this.#keys += 1;
    if (this.#pendingBytes >= CHUNK_BYTES) await this.#flush();
  }

  async finish(revision: number): Promise<BackupSummary> {
    await this.#flush();
    const summary = { revision, keys: this.#keys, bytes: this.#bytes };
    const header = { format: BACKUP_FORMAT, ...summary };
    const text = MAGIC + JSON.stringify({ ...header, sha256: checksum(this.#hash, header) });
    await writeAll(this.#file, Buffer.from(`${text.padEnd(HEADER_BYTES - 1)}\n`), 0);
    await this.#file.sync();
    return summary;
  }

  async #flush(): Promise<void> {
    const chunk = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#hash.update(chunk);
    await writeAll(this.#file, chunk, HEADER_BYTES + this.#bytes);
    this.#bytes += chunk.length;
  }
}

/** A value of a backup, and the revision that wrote it. */
export interface BackupValue {
  readonly revision: number;
  readonly record: Buffer;
}

/** Reads a backup. Its content can be trusted only after `values` has ended. */
export class BackupReader {
  readonly format: number;
  readonly summary: BackupSummary;
  readonly #file: FileHandle;
  readonly #name: string;
  readonly #sha256: string;

  private constructor(file: FileHandle, name: string, { format, ...summary }: Header, sha256: string) {
    this.#file = file;
    this.#name = name;
    this.format = format;
    this.summary = summary;
    this.#sha256 = sha256;
  }

  static async open(file: FileHandle, name: string): Promise<BackupReader> {
    const header = Buffer.alloc(HEADER_BYTES);
    const text = (await readAll(file, header, 0)) ? header.toString('latin1') : '';
    const fields = text.startsWith(MAGIC) && text.endsWith('\n') ? parseObject(text.slice(MAGIC.length)) : undefined;
    if (fields === undefined) throw new KVError('corrupt', `${name} is not a backup`);
    const { format, revision, keys, bytes, sha256 } = fields;
    if (!isCount(format) || format < OLDEST_FORMAT || format > BACKUP_FORMAT) {
      const known = `${OLDEST_FORMAT} to ${BACKUP_FORMAT}`;
      throw new KVError('corrupt', `${name} has format ${String(format)}, this version reads formats ${known}`);
    }
    if (!isCount(revision) || revision < 1 || !isCount(keys) || !isCount(bytes) || typeof sha256 !== 'string') {
      throw damaged(name);
    }
    const { size } = await file.stat();
    if (size !== HEADER_BYTES + bytes) {
      throw new KVError('corrupt', `${name} is damaged: it has ${size} bytes, not ${HEADER_BYTES + bytes}`);
    }
    return new BackupReader(file, name, { format, revision, keys, bytes }, sha256);
  }

  /** All values in order. Throws `corrupt`, at the latest at the end, if the file is not as written. */
  async *values(): AsyncGenerator<BackupValue> {
    const { bytes, keys } = this.summary;
    const hash = createHash('sha256');
    let rest: Buffer = Buffer.alloc(0);
    let count = 0;
    for (let position = 0; position < bytes; ) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytes - position));
      if (!(await readAll(this.#file, chunk, HEADER_BYTES + position))) throw damaged(this.#name);
      hash.update(chunk);
      position += chunk.length;
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let offset = 0;
      while (rest.length - offset >= FRAME_BYTES) {
        const end = offset + FRAME_BYTES + rest.readUInt32BE(offset);
        if (end > rest.length) break;
        yield { revision: readNumber(rest, offset + 4), record: rest.subarray(offset + FRAME_BYTES, end) };
        count += 1;
        offset = end;
      }
      rest = rest.subarray(offset);
    }
    if (
      rest.length > 0 ||
      count !== keys ||
      checksum(hash, { format: this.format, ...this.summary }) !== this.#sha256
    ) {
      throw damaged(this.#name);
    }
  }
}

export function damaged(name: string): KVError {
  return new KVError('corrupt', `${name} is damaged: its checksum is not that of its content`);
}

function checksum(hash: Hash, { format, revision, keys, bytes }: Header): string {
  return hash.update(JSON.stringify({ format, revision, keys, bytes })).digest('hex');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function parseObject(text: string): Partial<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

/** False if the file ends first. */
async function readAll(file: FileHandle, bytes: Buffer, position: number): Promise<boolean> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) return false;
    done += bytesRead;
  }
  return true;
}

import { Buffer } from 'node:buffer';
import type { Clock } from '@binnacle/apimachinery/clock';
import { SerialQueue } from '@binnacle/apimachinery/turns';
import { createReadStream, createWriteStream, write } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { type Backup, expiredBackups, nameOfBackup, readBackupName } from './backups.js';

/** Writes to a file descriptor, perhaps not all. */
type WriteSome = (fd: number, bytes: Uint8Array, at: number) => Promise<{ readonly bytesWritten: number }>;

/** Costs half of what `FileHandle.write` costs. */
const writeSome: WriteSome = promisify(write);

const MIB = 1024 * 1024;
const NEWLINE = Buffer.from('\n');
const DEFAULT_MEGABYTES = 100;
const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o755;

export interface RotatingFileOptions {
  readonly path: string;
  /** Default: 100. */
  readonly maximumMegabytes: number;
  /** 0 keeps all. */
  readonly maximumBackups: number;
  /** 0 keeps them forever. */
  readonly maximumAgeDays: number;
  /** Whether to compress backups with gzip. */
  readonly compresses: boolean;
}

/**
 * A file that is renamed to a backup, named after the time, before it exceeds its size. One write at a time. A write that
 * fails may be repeated. Upstream: `gopkg.in/natefinch/lumberjack.v2`.
 */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #writeSome: WriteSome;
  readonly #tidying = new SerialQueue();
  #handle: FileHandle | undefined;
  #size = 0;
  /** A full disk has taken part of a line. The next line must not continue it. */
  #isTorn = false;

  constructor(options: RotatingFileOptions, clock: Clock, write = writeSome) {
    this.#options = options;
    this.#clock = clock;
    this.#writeSome = write;
    this.#limit = (options.maximumMegabytes || DEFAULT_MEGABYTES) * MIB;
  }

  async write(bytes: Uint8Array): Promise<void> {
    let handle = this.#handle ?? (await this.#open());
    if (this.#size > 0 && this.#size + bytes.length > this.#limit) {
      await this.#rotate(handle);
      handle = await this.#open();
    }
    if (this.#isTorn) {
      this.#size += (await this.#writeSome(handle.fd, NEWLINE, 0)).bytesWritten;
      this.#isTorn = false;
    }
    let at = 0;
    try {
      while (at < bytes.length) at += (await this.#writeSome(handle.fd, bytes, at)).bytesWritten;
    } finally {
      this.#size += at;
      this.#isTorn = at > 0 && at < bytes.length;
    }
  }

  async close(): Promise<void> {
    await this.#tidying.idle();
    await this.#handle?.sync().catch(() => undefined);
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #open(): Promise<FileHandle> {
    const { path } = this.#options;
    await mkdir(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY });
    const handle = await open(path, 'a', PRIVATE_FILE);
    this.#size = (await handle.stat()).size;
    this.#handle = handle;
    return handle;
  }

  async #rotate(handle: FileHandle): Promise<void> {
    const { path } = this.#options;
    this.#handle = undefined;
    this.#isTorn = false;
    await handle.close();
    await rename(path, join(dirname(path), nameOfBackup(basename(path), this.#clock.now())));
    // Old backups are no reason to lose new events.
    this.#tidying.run(() => this.#tidy()).catch(() => undefined);
  }

  async #tidy(): Promise<void> {
    const { path, maximumAgeDays, maximumBackups, compresses } = this.#options;
    const directory = dirname(path);
    const backups = (await readdir(directory))
      .map((name) => readBackupName(basename(path), name))
      .filter((backup): backup is Backup => backup !== undefined);
    const expired = new Set(expiredBackups(backups, { maximumAgeDays, maximumBackups, now: this.#clock.now() }));
    for (const { name } of expired) await unlink(join(directory, name));
    if (!compresses) return;
    for (const backup of backups) {
      if (!expired.has(backup) && extname(backup.name) !== '.gz') await compress(join(directory, backup.name));
    }
  }
}

async function compress(path: string): Promise<void> {
  await pipeline(createReadStream(path), createGzip(), createWriteStream(`${path}.gz`, { mode: PRIVATE_FILE }));
  await unlink(path);
}

import { type BigIntStats, closeSync, constants, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { loadKernelLocks, tryLock } from './kernel-lock.js';

/** An open file, locked against other processes. */
export interface FileLock {
  /** False on a platform without kernel locks. */
  readonly byKernel: boolean;
  /** Whether the path still leads to this file. */
  isInPlace(): boolean;
  /** Idempotent. The kernel releases the lock in any case when the process ends. */
  release(): void;
}

export interface LockFileOptions {
  /** Whether to create an absent file. Default: true; otherwise its absence is the system's error. */
  readonly create?: boolean;
}

/**
 * Locks a file. The kernel holds the lock across PID namespaces until this process ends. Returns undefined if another
 * process holds the lock.
 */
export async function lockFile(file: string, { create = true }: LockFileOptions = {}): Promise<FileLock | undefined> {
  const locks = await loadKernelLocks();
  const flags = constants.O_RDWR | (create ? constants.O_CREAT : 0);
  for (;;) {
    const descriptor = openSync(file, flags, 0o600);
    try {
      if (locks !== undefined && !tryLock(locks, descriptor, file)) {
        closeSync(descriptor);
        return undefined;
      }
      const locked = new OpenFile(file, descriptor, locks !== undefined);
      // A compaction may have replaced the file between opening and locking.
      if (locked.isInPlace()) return locked;
      locked.release();
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }
}

/** Deletes a file left by a dead process, that is, one that no process has locked. */
export async function removeUnlocked(file: string): Promise<void> {
  const locks = await loadKernelLocks();
  if (locks === undefined) return;
  const descriptor = openSync(file, constants.O_RDWR);
  try {
    if (locks.tryLock(descriptor)) rmSync(file, { force: true });
  } finally {
    closeSync(descriptor);
  }
}

class OpenFile implements FileLock {
  readonly byKernel: boolean;
  readonly #file: string;
  readonly #identity: BigIntStats;
  #descriptor: number | undefined;

  constructor(file: string, descriptor: number, byKernel: boolean) {
    this.byKernel = byKernel;
    this.#file = file;
    this.#descriptor = descriptor;
    this.#identity = fstatSync(descriptor, { bigint: true });
  }

  isInPlace(): boolean {
    const found = statSync(this.#file, { bigint: true, throwIfNoEntry: false });
    return found !== undefined && found.ino === this.#identity.ino && found.dev === this.#identity.dev;
  }

  release(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { isNoSpaceError } from '../disk/failure.js';
import { type KernelLocks, loadKernelLocks } from './kernel-lock.js';

export const GATE_FILE = 'commits';
/** A store that this process may only read has no writer on this machine. */
const UNWRITABLE = new Set<unknown>(['EROFS', 'EACCES', 'EPERM']);

/**
 * Keeps commits apart from openings of the store by other processes. LMDB reads its state when it opens a file and then
 * announces what it read to all processes; a commit in between would be undone by the next one.
 */
export interface CommitGate {
  /** Runs `work` while no other holder of a gate of this store runs. Calls on one gate may overlap. */
  run<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/**
 * Opens the gate of the store in a directory. On a platform without kernel locks, and where its file cannot be created
 * for lack of space or rights, it keeps nothing apart.
 */
export async function openCommitGate(directory: string): Promise<CommitGate> {
  const locks = await loadKernelLocks();
  const descriptor = locks === undefined ? undefined : openGateFile(join(directory, GATE_FILE));
  if (locks === undefined || descriptor === undefined) return { run: (work) => work(), close: () => undefined };
  return new FileGate(descriptor, locks);
}

function openGateFile(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (isNoSpaceError(error) || UNWRITABLE.has(code)) return undefined;
    throw error;
  }
}

class FileGate implements CommitGate {
  readonly #descriptor: number;
  readonly #locks: KernelLocks;
  #holders = 0;
  #locked: Promise<unknown> | undefined;

  constructor(descriptor: number, locks: KernelLocks) {
    this.#descriptor = descriptor;
    this.#locks = locks;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#holders += 1;
    try {
      this.#locked ??= this.#lock();
      await this.#locked;
      return await work();
    } finally {
      this.#holders -= 1;
      if (this.#holders === 0) {
        this.#locked = undefined;
        this.#locks.unlock(this.#descriptor);
      }
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  async #lock(): Promise<void> {
    if (!this.#locks.tryLock(this.#descriptor)) await this.#locks.waitForLock(this.#descriptor);
  }
}

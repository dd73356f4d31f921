import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { type KernelLocks, loadKernelLocks } from '../../locks/index.js';
import { isNoSpaceError, property } from '../disk/failure.js';
import { openStoreFile } from '../disk/store-file.js';
import { DATA_FILE } from '../pages/data-file.js';

const GATE_FILE = 'commits';

/**
 * Keeps commits apart from openings of the store by other processes. LMDB reads its state when it opens a file, and
 * then announces that state to all processes. The next commit would then undo a commit that another
 * process has made in between.
 */
export interface CommitGate {
  /** Runs `work` while no other holder of a gate of this store runs. Calls on one gate may overlap. */
  run<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/**
 * Opens the gate of the store in a directory. Rejects if its file cannot be opened. Without space to create it, on a
 * read-only file system, and on a platform without kernel locks, it keeps nothing apart.
 */
export async function openCommitGate(directory: string): Promise<CommitGate> {
  const locks = await loadKernelLocks();
  if (locks === undefined) return { run: (work) => work(), close: () => undefined };
  const gate = new FileGate(join(directory, GATE_FILE), join(directory, DATA_FILE), locks);
  gate.open();
  return gate;
}

class FileGate implements CommitGate {
  readonly #file: string;
  readonly #dataFile: string;
  readonly #locks: KernelLocks;
  #descriptor: number | undefined;
  #holders = 0;
  #locked: Promise<void> | undefined;

  constructor(file: string, dataFile: string, locks: KernelLocks) {
    this.#file = file;
    this.#dataFile = dataFile;
    this.#locks = locks;
  }

  /** Tries again at each run, because another process may create the file once there is space. */
  open(): void {
    try {
      this.#descriptor ??= openStoreFile(this.#file, this.#dataFile);
    } catch (error) {
      if (!isNoSpaceError(error) && property(error, 'code') !== 'EROFS') throw error;
    }
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
        if (this.#descriptor !== undefined) this.#locks.unlock(this.#descriptor);
      }
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  async #lock(): Promise<void> {
    this.open();
    const descriptor = this.#descriptor;
    if (descriptor !== undefined && !this.#locks.tryLock(descriptor)) await this.#locks.waitForLock(descriptor);
  }
}

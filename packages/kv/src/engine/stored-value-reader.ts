import { KVError, type ValueReader } from '../interface/index.js';
import type { Backend } from './backend.js';
import type { Pin } from './compaction.js';

export interface StoredValueReaderOptions {
  readonly backend: Backend;
  readonly pin: Pin;
  /** Throws if the store is closed. */
  readonly checkOpen: () => void;
}

/** Reads values from the log, whose values never change. The pin protects those that the owner may still read. */
export class StoredValueReader implements ValueReader {
  readonly #options: StoredValueReaderOptions;

  constructor(options: StoredValueReaderOptions) {
    this.#options = options;
  }

  advance(revision: number): void {
    this.#options.pin.advance(revision);
  }

  read(modRevision: number): Uint8Array {
    const { backend, checkOpen } = this.#options;
    checkOpen();
    return backend.value(modRevision) ?? throwCompacted(modRevision);
  }

  load(modRevision: number): { readonly value: Uint8Array; readonly tag?: number } {
    const { backend, checkOpen } = this.#options;
    checkOpen();
    const { value, tag } = backend.view(modRevision) ?? throwCompacted(modRevision);
    return tag === 0 ? { value } : { value, tag };
  }

  close(): void {
    this.#options.pin.release();
  }
}

function throwCompacted(revision: number): never {
  throw new KVError('compacted', `the value of revision ${revision} has been compacted`);
}

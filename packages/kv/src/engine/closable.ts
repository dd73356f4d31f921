import { KVError } from '../interface/index.js';

/** The end of a store, which comes once: all who close it get the same promise, and all later calls are refused. */
export abstract class Closable implements AsyncDisposable {
  #closing: Promise<void> | undefined;

  /** Settles when all pending work is decided and everything is released. Called once. */
  protected abstract end(): Promise<void>;

  protected get closed(): boolean {
    return this.#closing !== undefined;
  }

  protected checkOpen(): void {
    if (this.closed) throw closedError();
  }

  close(): Promise<void> {
    this.#closing ??= this.end();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

export function closedError(): KVError {
  return new KVError('closed', 'the store has been closed');
}

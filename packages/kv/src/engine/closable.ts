import { KVError } from '../interface/index.js';

/** Closes a store once. All calls to `close` share one promise; all other calls then fail. */
export abstract class Closable implements AsyncDisposable {
  #closing: Promise<void> | undefined;

  /** Called once. Settles when all pending work is decided and all resources are released. */
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

import { KVError } from '@binnacle/kv';
import { storageErrorOf, unreadableOf } from './errors.js';
import type { UnreadableObject } from './unreadable.js';

/** The operations on the store, in upstream's words. */
export type StorageOperation = 'get' | 'list' | 'create' | 'update' | 'delete';

/** Observes calls of the store. It must not throw. */
export interface StorageObserver {
  /** A call begins. The result is called when the store has answered or failed. */
  begun(operation: StorageOperation): (failed: boolean) => void;
  /** These objects cannot be read. */
  damaged(keys: readonly string[]): void;
}

/** Awaits calls of the store, translates their failures to StorageErrors, and reports them to an observer. */
export class StoreCalls {
  readonly #observer: StorageObserver | undefined;

  constructor(observer: StorageObserver | undefined) {
    this.#observer = observer;
  }

  /** A call that the observer times. */
  async observed<T>(operation: StorageOperation, call: Promise<T>): Promise<T> {
    const observer = this.#observer;
    if (observer === undefined) return this.translated(call);
    const ended = observer.begun(operation);
    let failed = true;
    try {
      const answer = await this.translated(call);
      failed = false;
      return answer;
    } finally {
      ended(failed);
    }
  }

  /** A call that is not a {@link StorageOperation}. */
  async translated<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (error instanceof KVError) this.damaged(error.damaged.map(unreadableOf));
      throw storageErrorOf(error);
    }
  }

  /** Reports objects that cannot be read. */
  damaged(objects: readonly UnreadableObject[]): void {
    if (objects.length > 0) this.#observer?.damaged(objects.map(({ key }) => key));
  }
}

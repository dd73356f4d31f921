import type { DynamicClient } from '@binnacle/client/dynamic';
import type { TypedObject } from '@binnacle/client/typed';
import type { RemainingResource } from './pass-result.js';

/** Above this number of resources a namespace is not watched; the next pass then waits for its time. */
const MAX_WATCHES = 8;

interface Watch {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** Watches the remaining objects of namespaces, so that the next pass starts when the last of them is deleted. */
export class DeletionWatcher {
  readonly #client: DynamicClient;
  readonly #byNamespace = new Map<string, Watch>();
  /** All watches that have not ended, replaced ones included. */
  readonly #running = new Set<Promise<void>>();

  constructor(client: DynamicClient) {
    this.#client = client;
  }

  /**
   * Calls `onDeleted` once, when all remaining objects are deleted. It may never call: when a watch ends early, the next timed pass does the
   * work. Replaces the previous watch of the namespace, and ends when the signal fires.
   */
  watch(namespace: string, remaining: readonly RemainingResource[], signal: AbortSignal, onDeleted: () => void): void {
    this.stop(namespace);
    if (remaining.length === 0 || remaining.length > MAX_WATCHES) return;
    const controller = new AbortController();
    const either = AbortSignal.any([signal, controller.signal]);
    const ended = this.#watchAll(namespace, remaining, either).then(
      () => onDeleted(),
      // A watch ended early, or was stopped.
      () => undefined,
    );
    const watch = { controller, ended: ended.finally(() => this.#running.delete(watch.ended)) };
    this.#running.add(watch.ended);
    this.#byNamespace.set(namespace, watch);
  }

  stop(namespace: string): void {
    this.#byNamespace.get(namespace)?.controller.abort();
    this.#byNamespace.delete(namespace);
  }

  /** Resolves when all watches have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** The first watch that fails ends the others. */
  async #watchAll(namespace: string, remaining: readonly RemainingResource[], signal: AbortSignal): Promise<void> {
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    const watches = remaining.map(async (each) => {
      try {
        await this.#watchOne(namespace, each, either);
      } catch (error) {
        failed.abort();
        throw error;
      }
    });
    const results = await Promise.allSettled(watches);
    if (results.some(({ status }) => status === 'rejected')) throw new Error('a watch has ended early');
  }

  async #watchOne(
    namespace: string,
    { resource, count, resourceVersion }: RemainingResource,
    signal: AbortSignal,
  ): Promise<void> {
    const objects = this.#client.resource<TypedObject>(resource).namespace(namespace);
    let left = count;
    for await (const { type } of objects.watch({ resourceVersion, metadataOnly: true, signal })) {
      if (type === 'DELETED') left--;
      if (left === 0) return;
    }
    throw new Error('the server has ended the watch');
  }
}

import type { DynamicClient } from '@binnacle/client/dynamic';
import type { TypedObject } from '@binnacle/client/typed';
import type { Remains } from './remains.js';

/** As many resources are watched for one namespace; where more are left, time alone brings the next look. */
const MOST_WATCHES = 8;

interface Watching {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** Watches what remains in namespaces go, so that nobody has to ask again and again. */
export class Departures {
  readonly #client: DynamicClient;
  readonly #byNamespace = new Map<string, Watching>();
  /** Those that were told to end included. */
  readonly #underWay = new Set<Promise<void>>();

  constructor(client: DynamicClient) {
    this.#client = client;
  }

  /**
   * Calls back once, when all that remains has gone. Not if a watch ends before: this is but a help. Takes the place of what was watched for
   * the namespace until now, and ends when the signal fires.
   */
  watch(namespace: string, remains: readonly Remains[], signal: AbortSignal, whenGone: () => void): void {
    this.forget(namespace);
    if (remains.length === 0 || remains.length > MOST_WATCHES) return;
    const controller = new AbortController();
    const both = AbortSignal.any([signal, controller.signal]);
    const ended = this.#watchAll(namespace, remains, both).then(
      () => whenGone(),
      // The watches have ended, by themselves or because they were told to.
      () => undefined,
    );
    const watching = { controller, ended: ended.finally(() => this.#underWay.delete(watching.ended)) };
    this.#underWay.add(watching.ended);
    this.#byNamespace.set(namespace, watching);
  }

  /** Nobody waits for the namespace any more. */
  forget(namespace: string): void {
    this.#byNamespace.get(namespace)?.controller.abort();
    this.#byNamespace.delete(namespace);
  }

  /** Resolves when nothing is under way any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** The first watch that fails ends the others. */
  async #watchAll(namespace: string, remains: readonly Remains[], signal: AbortSignal): Promise<void> {
    const failed = new AbortController();
    const both = AbortSignal.any([signal, failed.signal]);
    const watches = remains.map(async (each) => {
      try {
        await this.#watchOne(namespace, each, both);
      } catch (error) {
        failed.abort();
        throw error;
      }
    });
    const results = await Promise.allSettled(watches);
    if (results.some(({ status }) => status === 'rejected')) throw new Error('a watch has ended');
  }

  async #watchOne(
    namespace: string,
    { resource, count, resourceVersion }: Remains,
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

import type { Clock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { asJson } from '@binnacle/apimachinery/meta';
import { SharedInformer } from '@binnacle/client/cache';
import { type AnyObject, DynamicClient } from '@binnacle/client/dynamic';
import { isForbidden } from '@binnacle/client/rest';
import type { Transport } from '@binnacle/client/transport';
import { type Change, changeOf, type KindInfo, type Row, rowOf } from '../model/index.js';
import { Subscription } from './subscription.js';

export interface FeedParts {
  readonly transport: Transport;
  readonly kinds: readonly KindInfo[];
  readonly clock: Clock;
}

/** What an informer keeps of an object. */
interface Held extends AnyObject {
  readonly row: Row;
}

/** Watches all kinds, and tells any number of pages. Reads the server once, however many pages there are. */
export class Feed {
  readonly kinds: readonly KindInfo[];
  readonly #clock: Clock;
  readonly #informers: readonly SharedInformer<Held>[];
  readonly #faults = new Map<number, string>();
  readonly #subscriptions = new Set<Subscription>();
  #isComplete = false;

  constructor({ transport, kinds, clock }: FeedParts) {
    this.kinds = kinds;
    this.#clock = clock;
    const client = new DynamicClient(transport);
    this.#informers = kinds.map((kind, index) => this.#informer(client, kind, index));
  }

  /** The number of objects. */
  get size(): number {
    return this.#informers.reduce((sum, { indexer }) => sum + indexer.size, 0);
  }

  /** Resolves when the signal has fired and all requests have ended. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#informers.map(async (informer) => informer.run(signal)));
  }

  /** All present objects, then each change, until disposed. */
  subscribe(): Subscription {
    const subscription: Subscription = new Subscription(() => this.#subscriptions.delete(subscription));
    for (const { indexer } of this.#informers) for (const { row } of indexer.list()) subscription.pending.add(row);
    for (const [kind, reason] of this.#faults) subscription.pending.fault(kind, reason);
    if (this.#isComplete) subscription.pending.complete();
    this.#subscriptions.add(subscription);
    subscription.wake();
    return subscription;
  }

  #informer(client: DynamicClient, kind: KindInfo, index: number): SharedInformer<Held> {
    const informer: SharedInformer<Held> = new SharedInformer<Held>(client.resource<Held>(kind), {
      name: kind.resource,
      // The client decodes an object; what an informer keeps of it is smaller.
      transform: (object) => held(rowOf(kind.kind, index, asJson(object))),
      clock: this.#clock,
      // A watch that broke begins again, and meanwhile the page shows what the informer has.
      onError: (error) => {
        if (!informer.hasSynced || isForbidden(error)) this.#fail(index, messageOf(error));
      },
    });
    informer.addHandler({
      onAdd: ({ row }, isOld) => this.#set(undefined, row, isOld),
      onUpdate: (before, { row }) => this.#set(before.row, row),
      onDelete: ({ row }) => this.#delete(row),
    });
    void informer.synced().then(
      () => this.#recover(index),
      () => undefined,
    );
    return informer;
  }

  #change(before: Row | undefined, after: Row | undefined): Change | undefined {
    return changeOf(before, after, this.#clock.now());
  }

  /** `isOld`: the object existed before the feed, so it does not count as a change. */
  #set(before: Row | undefined, row: Row, isOld = false): void {
    if (this.#faults.has(row.kind)) this.#recover(row.kind);
    const change = isOld ? undefined : this.#change(before, row);
    this.#tell(({ pending }) => {
      if (before === undefined) pending.add(row);
      else pending.set(row);
      if (change !== undefined) pending.change(change);
    });
  }

  #delete(row: Row): void {
    const change = this.#change(row, undefined);
    this.#tell(({ pending }) => {
      pending.delete(row.uid);
      if (change !== undefined) pending.change(change);
    });
  }

  #fail(kind: number, reason: string): void {
    this.#faults.set(kind, reason);
    this.#tell(({ pending }) => pending.fault(kind, reason));
    this.#completeOnce();
  }

  #recover(kind: number): void {
    if (this.#faults.delete(kind)) this.#tell(({ pending }) => pending.fault(kind, ''));
    this.#completeOnce();
  }

  /** Once every kind has been read or has failed, tells the pages that the feed is complete. */
  #completeOnce(): void {
    if (this.#isComplete || !this.#informers.every(({ hasSynced }, index) => hasSynced || this.#faults.has(index)))
      return;
    this.#isComplete = true;
    this.#tell(({ pending }) => pending.complete());
  }

  #tell(tell: (subscription: Subscription) => void): void {
    for (const subscription of this.#subscriptions) {
      tell(subscription);
      subscription.wake();
    }
  }
}

function held(row: Row): Held {
  const { name, namespace, uid, version } = row;
  return { metadata: { name, namespace, uid, resourceVersion: version }, row };
}

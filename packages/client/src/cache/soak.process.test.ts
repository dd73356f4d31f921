import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { internalError } from '@binnacle/apimachinery/status';
import { FakeCollection, VirtualClock } from '../testing/index.js';
import { ConnectionError } from '../transport/index.js';
import { WorkQueue } from '../workqueue/index.js';
import { type InformerOptions, objectKey, SharedInformer } from './index.js';

const MINUTE = 60_000;
const HOURS = 24;
const OBJECTS = 200;
const CHANGES_A_MINUTE = 10;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes in use after a garbage collection. */
function heapInUse(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** A typical reconciler: it processes every key, and every seventh fails for a while. */
class Worker {
  readonly queue: WorkQueue<string>;
  readonly stopped: Promise<void>;
  worked = 0;

  constructor(clock: VirtualClock) {
    this.queue = new WorkQueue<string>({ clock });
    this.stopped = this.#work();
  }

  async #work(): Promise<void> {
    for (let key = await this.queue.get(); key !== undefined; key = await this.queue.get()) {
      this.worked++;
      if (this.worked % 7 === 0 && this.queue.retries(key) < 3) this.queue.addRateLimited(key);
      else this.queue.forget(key);
      this.queue.done(key);
    }
  }
}

/** The events of one minute of the day. */
function minute(collection: FakeCollection, at: number): void {
  for (let change = 0; change < CHANGES_A_MINUTE; change++) {
    const number = at * CHANGES_A_MINUTE + change;
    const name = `object-${(number * 17) % OBJECTS}`;
    if (number % 5 === 0) collection.delete(name);
    else collection.set(name, { owner: `owner-${number % 23}`, at: String(number) });
  }
  if (at % 7 === 0) collection.breakWatches();
  if (at % 11 === 0) collection.compact();
  if (at % 13 === 0) collection.bookmark();
  if (at % 31 === 0) collection.endWatches();
  if (at % 53 === 0) collection.expireWatches();
  if (at % 97 === 0) collection.reset(collection.objects);
  if (at % 60 !== 0) return;
  // The server restarts: it is unreachable for a while, then not ready.
  collection.breakWatches();
  for (let count = 0; count < 6; count++) collection.failNext(new ConnectionError('connecting', 'refused'));
  collection.failNext(internalError(new Error('starting')));
}

it('stays in sync over 24 hours and leaks nothing', async () => {
  const collection = new FakeCollection();
  const clock = new VirtualClock();
  const worker = new Worker(clock);
  const controller = new AbortController();
  const kinds: readonly InformerOptions<KubernetesObject>[] = [
    { resyncPeriod: 30 * MINUTE, pageSize: 50 },
    { stream: true, indexes: { owner: ({ data }) => [(data as Record<string, string>)['owner']] } },
    { transform: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }) },
  ];
  let failures = 0;
  const onError = () => {
    failures++;
  };
  const informers = kinds.map((options) => new SharedInformer(collection, { ...options, clock, onError }));
  const [first] = informers;
  const changed = (object: KubernetesObject) => worker.queue.add(objectKey(object));
  first?.addHandler({ onAdd: changed, onUpdate: (_, after) => changed(after), onDelete: changed });
  const running = informers.map((informer) => informer.run(controller.signal));

  /** The quantities that a leak would increase. */
  const counts = () => ({
    watches: collection.watches,
    timers: clock.waiting,
    listeners: getEventListeners(controller.signal, 'abort').length,
    queued: worker.queue.length,
    owners: informers[1]?.indexer.indexValues('owner').length,
  });
  const checkHour = async (): Promise<ReturnType<typeof counts>> => {
    // Longer than the maximum delay.
    await clock.advance(2 * MINUTE);
    for (const informer of informers) {
      const held = informer.lister.list().map((object) => `${objectKey(object)} ${object.metadata.resourceVersion}`);
      const there = [...collection.objects.values()].map(
        (object) => `${objectKey(object)} ${object.metadata.resourceVersion}`,
      );
      assert.deepEqual(held.toSorted(), there.toSorted(), 'drift');
      assert.equal(informer.state.phase, 'watching');
    }
    collection.forget();
    return counts();
  };

  let early: { readonly heap: number; readonly counts: ReturnType<typeof counts> } | undefined;
  for (let hour = 0; hour < HOURS; hour++) {
    for (let at = 0; at < 58; at++) {
      minute(collection, hour * 60 + at);
      await clock.advance(MINUTE);
    }
    const now = await checkHour();
    if (hour === 3) early = { heap: heapInUse(), counts: now };
    if (early !== undefined) assert.deepEqual(now, early.counts);
  }
  assert.ok(early !== undefined);
  const grown = heapInUse() - early.heap;
  assert.ok(grown < 512 * 1024, `the heap has grown by ${grown} bytes in 20 hours`);
  assert.ok(failures > HOURS && worker.worked > HOURS * 60, 'the day was not a quiet one');

  controller.abort();
  await Promise.all(running);
  worker.queue.shutDown();
  await worker.stopped;
  assert.equal(clock.waiting, 0);
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
});

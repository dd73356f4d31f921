import assert from 'node:assert/strict';
import { it } from 'node:test';
import { randomOf } from '@binnacle/apimachinery/clock';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import {
  badRequest,
  forbidden,
  internalError,
  resourceExpired,
  tooLargeResourceVersion,
  tooManyRequests,
} from '@binnacle/apimachinery/status';
import * as fc from 'fast-check';
import { FakeCollection, VirtualClock } from '../testing/index.js';
import { ConnectionError } from '../transport/index.js';
import { objectKey, SharedInformer } from './index.js';

type Step = (collection: FakeCollection, clock: VirtualClock) => unknown;

const name = fc.constantFrom('a', 'b', 'c');
const change = fc.oneof(
  fc.tuple(name, fc.string({ maxLength: 2 })).map(
    ([key, value]): Step =>
      (collection) =>
        collection.set(key, { value }),
  ),
  name.map(
    (key): Step =>
      (collection) =>
        collection.delete(key),
  ),
);
const time = fc.integer({ min: 0, max: 40_000 }).map(
  (milliseconds): Step =>
    async (_, clock) =>
      clock.advance(milliseconds),
);
const quiet = fc.oneof(
  fc.constantFrom<Step>(
    (collection) => collection.touch(),
    (collection) => collection.bookmark(),
  ),
  fc.constantFrom<Step>(
    (collection) => collection.hold(),
    (collection) => collection.release(),
  ),
);
/** Interruptions after which the watch resumes. */
const interruption = fc.constantFrom<Step>(
  (collection) => collection.endWatches(),
  (collection) => collection.breakWatches(),
  (collection) => collection.failNext(new ConnectionError('broken', 'reset')),
  (collection) => collection.failNext(tooManyRequests('busy', 1)),
);
/** Interruptions after which the state must be read again. */
const loss = fc.constantFrom<Step>(
  (collection) => collection.compact(),
  (collection) => collection.expireWatches(),
  (collection) => collection.reset(),
  (collection) => collection.reset(collection.objects),
  // An older version may come from another store.
  (collection) => collection.repeat(),
  (collection) => collection.bookmark(1),
  (collection) => collection.bookmark(5),
  (collection) => collection.failNext(resourceExpired('too old')),
  (collection) => collection.failNext(tooLargeResourceVersion(collection.version + 1, collection.version)),
  (collection) => collection.failNext(internalError(new Error('internal'))),
  (collection) => collection.failNext(forbidden({ group: '', resource: 'configmaps' }, '', 'no')),
  (collection) => {
    collection.streamError = badRequest('sendInitialEvents is forbidden');
  },
);

/** A handler's copy of the state. It fails on impossible events. */
class Mirror {
  readonly objects = new Map<string, KubernetesObject>();
  readonly received: string[] = [];

  onAdd(object: KubernetesObject): void {
    assert.equal(this.objects.has(objectKey(object)), false, 'added twice');
    this.objects.set(objectKey(object), object);
    this.received.push(`ADDED ${object.metadata.resourceVersion}`);
  }

  onUpdate(before: KubernetesObject, after: KubernetesObject): void {
    assert.equal(this.objects.get(objectKey(after)), before, 'updated from an unknown state');
    assert.equal(before.metadata.uid, after.metadata.uid, 'an update does not make another object');
    this.objects.set(objectKey(after), after);
    this.received.push(`MODIFIED ${after.metadata.resourceVersion}`);
  }

  onDelete(object: KubernetesObject): void {
    assert.equal(this.objects.delete(objectKey(object)), true, 'deleted an unknown object');
    this.received.push(`DELETED ${object.metadata.resourceVersion}`);
  }
}

interface Walk {
  readonly collection: FakeCollection;
  readonly mirror: Mirror;
  /** The phases of the reflector between steps. */
  readonly places: ReadonlySet<string>;
}

async function walk(steps: readonly Step[], stream: boolean): Promise<Walk> {
  const collection = new FakeCollection();
  const clock = new VirtualClock();
  const mirror = new Mirror();
  const places = new Set<string>();
  const faults: unknown[] = [];
  const onError = (error: unknown) => {
    if (error instanceof assert.AssertionError) faults.push(error);
  };
  const informer = new SharedInformer(collection, { clock, random: randomOf(() => 0.5), pageSize: 2, stream, onError });
  informer.addHandler(mirror);
  const controller = new AbortController();
  const running = informer.run(controller.signal);

  const check = () => {
    assert.deepEqual(faults, []);
    const cached = new Map(informer.indexer.list().map((object) => [objectKey(object), object]));
    assert.deepEqual(cached, mirror.objects, 'a handler knows what the cache holds');
    const { version, phase, afterwards } = informer.state;
    places.add(phase === 'waiting' ? `waiting, then ${afterwards}` : phase);
    if (version !== undefined) {
      assert.deepEqual(
        cached,
        new Map(collection.stateAt(Number(version))),
        `the cache is the state at its version ${version}`,
      );
    }
  };
  for (const step of steps) {
    await step(collection, clock);
    await clock.advance(0);
    check();
  }
  collection.forgetFailures();
  collection.release();
  await clock.advance(200_000);
  check();
  assert.equal(informer.state.phase, 'watching');
  assert.deepEqual(
    new Map(informer.indexer.list().map((object) => [objectKey(object), object])),
    new Map(collection.objects),
  );
  controller.abort();
  await running;
  assert.equal(clock.waiting, 0);
  assert.equal(collection.watches, 0);
  return { collection, mirror, places };
}

it('always holds a state that the server had, and finally its latest, whatever fails', async () => {
  const steps = fc.array(fc.oneof({ weight: 4, arbitrary: change }, time, quiet, interruption, loss), {
    maxLength: 40,
    size: 'max',
  });
  const everywhere = new Set<string>();
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (each, stream) => {
      const { places } = await walk(each, stream);
      for (const place of places) everywhere.add(place);
    }),
    { numRuns: 300 },
  );
  // Ensures that the walk covers the interesting phases.
  assert.deepEqual([...everywhere].toSorted(), [
    'listing',
    'streaming',
    'waiting, then begin',
    'waiting, then watch',
    'watching',
  ]);
});

it('delivers every change once and in order across interruptions', async () => {
  const steps = fc.array(fc.oneof({ weight: 4, arbitrary: change }, time, quiet, interruption), {
    maxLength: 40,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(steps, async (each) => {
      // The first list is empty, so everything else comes from watches.
      const { collection, mirror } = await walk([() => undefined, ...each], false);
      const happened = collection.events.map(({ type, object }) => `${type} ${object.metadata.resourceVersion}`);
      assert.deepEqual(mirror.received, happened);
    }),
    { numRuns: 300 },
  );
});

it('lists only when it must, over a day of broken watches and compactions', async () => {
  const minute = 60_000;
  const day: Step[] = Array.from(
    { length: 24 * 60 },
    (_, index): Step =>
      async (collection, clock) => {
        collection.set(`object-${index % 5}`, { at: String(index) });
        if (index % 3 === 0) collection.delete(`object-${index % 4}`);
        if (index % 7 === 0) collection.breakWatches();
        if (index % 11 === 0) collection.compact();
        if (index % 13 === 0) collection.bookmark();
        if (index % 31 === 0) collection.endWatches();
        if (index % 97 === 0) collection.reset(collection.objects);
        await clock.advance(minute);
      },
  );
  const { collection } = await walk(day, false);
  const resets = Math.ceil(day.length / 97);
  const compactedWhileAway = Math.ceil(day.length / 77);
  assert.ok(collection.requests.list <= 1 + resets + compactedWhileAway, 'it lists when it must, and not more often');
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomOf } from '@binnacle/apimachinery/clock';
import { parseLabelSelector } from '@binnacle/apimachinery/labels';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { badRequest, forbidden, tooManyRequests } from '@binnacle/apimachinery/status';
import { eventually, FakeCollection, VirtualClock } from '../testing/index.js';
import { ConnectionError } from '../transport/index.js';
import {
  Indexer,
  type InformerOptions,
  objectKey,
  type ObjectSource,
  SharedInformer,
  splitObjectKey,
} from './index.js';

const pod = (name: string, more: { namespace?: string; node?: string; labels?: Record<string, string> } = {}) => ({
  metadata: { name, namespace: more.namespace ?? 'ns', labels: more.labels },
  node: more.node,
});

describe('keys', () => {
  it('have the namespace of namespaced objects', () => {
    assert.equal(objectKey(pod('a')), 'ns/a');
    assert.equal(objectKey({ metadata: { name: 'n' } }), 'n');
    assert.deepEqual(splitObjectKey('ns/a'), { namespace: 'ns', name: 'a' });
    assert.deepEqual(splitObjectKey('n'), { namespace: undefined, name: 'n' });
  });
});

describe('indexer', () => {
  it('finds objects by key, namespace, labels and indexes until they are deleted', () => {
    const indexer = new Indexer<ReturnType<typeof pod>>({ node: ({ node }) => [node] });
    const a = pod('a', { node: 'n1', labels: { app: 'web' } });
    const b = pod('b', { node: 'n1' });
    const c = pod('c', { namespace: 'other', labels: { app: 'web' } });
    for (const object of [a, b, c]) indexer.set(object);
    assert.equal(indexer.get('ns/a'), a);
    assert.deepEqual(indexer.list({ namespace: 'ns' }), [a, b]);
    assert.deepEqual(indexer.list({ selector: parseLabelSelector('app=web') }), [a, c]);
    assert.deepEqual(indexer.byIndex('node', 'n1'), [a, b]);
    assert.deepEqual(indexer.indexValues('node'), ['n1']);
    assert.throws(() => indexer.byIndex('none', 'x'), RangeError);
    const moved = pod('a', { node: 'n2' });
    assert.equal(indexer.set(moved), a);
    assert.deepEqual(indexer.byIndex('node', 'n1'), [b]);
    assert.equal(indexer.delete('ns/a'), moved);
    assert.equal(indexer.delete('ns/a'), undefined);
    assert.deepEqual(indexer.indexValues('node'), ['n1']);
    assert.equal(indexer.size, 2);
  });
});

/** A running informer and the calls of its handler. */
function start(collection: FakeCollection, options: InformerOptions<KubernetesObject> = {}) {
  const clock = new VirtualClock();
  const errors: unknown[] = [];
  const informer = new SharedInformer(collection, {
    clock,
    random: randomOf(() => 0),
    onError: (error) => errors.push(error),
    ...options,
  });
  const received: string[] = [];
  informer.addHandler(listener(received));
  const controller = new AbortController();
  const running = informer.run(controller.signal);
  const stop = async () => {
    controller.abort();
    await running;
    assert.equal(informer.state.phase, 'stopped');
    assert.equal(clock.waiting, 0);
  };
  return { clock, errors, informer, received, stop };
}

function listener(received: string[]) {
  const text = ({ metadata, data }: KubernetesObject) => `${metadata.name}${JSON.stringify(data)}`;
  return {
    onAdd: (object: KubernetesObject, initial: boolean) =>
      received.push(`+${text(object)}${initial ? ' initially' : ''}`),
    onUpdate: (before: KubernetesObject, after: KubernetesObject) => received.push(`${text(before)} -> ${text(after)}`),
    onDelete: (object: KubernetesObject, unknown: boolean) =>
      received.push(`-${text(object)}${unknown ? ' unseen' : ''}`),
  };
}

describe('informer', () => {
  it('delivers the list, then changes', async () => {
    const collection = new FakeCollection();
    collection.set('a', { n: '1' });
    const { clock, informer, received, stop } = start(collection, { pageSize: 1 });
    assert.equal(informer.hasSynced, false);
    await clock.advance(0);
    await informer.synced();
    collection.set('b', { n: '2' });
    collection.set('a', { n: '3' });
    collection.delete('b');
    await clock.advance(0);
    assert.deepEqual(received, ['+a{"n":"1"} initially', '+b{"n":"2"}', 'a{"n":"1"} -> a{"n":"3"}', '-b{"n":"2"}']);
    const late: string[] = [];
    const handler = informer.addHandler(listener(late));
    collection.set('c', {});
    await clock.advance(0);
    handler[Symbol.dispose]();
    collection.set('d', {});
    await clock.advance(0);
    assert.deepEqual(late, ['+a{"n":"3"} initially', '+c{}']);
    assert.deepEqual(collection.requests, { list: 1, watch: 1 });
    await stop();
  });

  it('resumes a watch that ends or breaks', async () => {
    const collection = new FakeCollection();
    const { clock, received, errors, stop } = start(collection);
    await clock.advance(5000);
    collection.endWatches();
    await clock.advance(0);
    collection.set('a', {});
    await clock.advance(0);
    collection.breakWatches();
    await clock.advance(0);
    collection.set('b', {});
    await clock.advance(799);
    assert.deepEqual(received, ['+a{}']);
    await clock.advance(1);
    assert.deepEqual(received, ['+a{}', '+b{}']);
    assert.deepEqual(collection.requests, { list: 1, watch: 3 });
    assert.equal(errors.length, 1);
    await stop();
  });

  it('survives compaction by bookmarks', async () => {
    const collection = new FakeCollection();
    const { clock, stop } = start(collection);
    await clock.advance(0);
    collection.touch();
    collection.bookmark();
    collection.compact();
    collection.breakWatches();
    await clock.advance(10_000);
    assert.deepEqual(collection.requests, { list: 1, watch: 2 });
    await stop();
  });

  it('lists again when it cannot resume, and delivers the differences', async () => {
    const collection = new FakeCollection();
    for (const name of ['a', 'b', 'c']) collection.set(name, {});
    const { clock, received, stop } = start(collection);
    await clock.advance(0);
    received.length = 0;
    collection.breakWatches();
    await clock.advance(0);
    collection.delete('a');
    collection.set('b', { n: '1' });
    collection.delete('c');
    collection.set('c', { n: '2' });
    collection.compact();
    await clock.advance(60_000);
    assert.deepEqual(received, ['-a{} unseen', 'b{} -> b{"n":"1"}', '-c{} unseen', '+c{"n":"2"}']);
    assert.equal(collection.requests.list, 2);
    await stop();
  });

  it('follows a server whose store was restored', async () => {
    const collection = new FakeCollection();
    collection.set('a', {});
    const { clock, received, informer, stop } = start(collection);
    await clock.advance(0);
    collection.reset();
    collection.set('b', {});
    await clock.advance(60_000);
    assert.deepEqual(received, ['+a{} initially', '-a{} unseen', '+b{}']);
    assert.equal(informer.state.version, String(collection.version));
    await stop();
  });

  it('notices changed content under a reused version', async () => {
    const collection = new FakeCollection();
    collection.set('a', { n: '1' });
    collection.set('b', {});
    const backup = collection.objects;
    collection.set('a', { n: '2' });
    collection.touch();
    const { clock, received, informer, stop } = start(collection);
    await clock.advance(0);
    const { version } = informer.state;
    received.length = 0;
    collection.reset(backup, 2);
    collection.set('a', { n: '3' });
    await clock.advance(60_000);
    assert.notEqual(informer.state.version, version);
    assert.deepEqual(received, ['a{"n":"2"} -> a{"n":"3"}'], 'nothing else has changed');
    await stop();
  });

  it('lists again when an event has an older version', async () => {
    const collection = new FakeCollection();
    collection.set('a', { n: '1' });
    const { clock, errors, received, stop } = start(collection);
    await clock.advance(0);
    collection.bookmark(1);
    await clock.advance(0);
    assert.match(
      String(errors[0]),
      /VersionRegressedError: the server's resourceVersion went back from 1000001 to 1000000/,
    );
    await clock.advance(800);
    assert.equal(collection.requests.list, 2);
    assert.deepEqual(received, ['+a{"n":"1"} initially']);
    await stop();
  });

  it('can run only once', async () => {
    const { clock, informer, stop } = start(new FakeCollection());
    await clock.advance(0);
    await assert.rejects(informer.run(new AbortController().signal), /once/);
    assert.equal(informer.state.phase, 'watching');
    await stop();
  });

  it('streams initial events if asked to, and lists if the server cannot', async () => {
    const collection = new FakeCollection();
    collection.set('a', {});
    const streamed = start(collection, { stream: true });
    await streamed.clock.advance(0);
    collection.set('b', {});
    await streamed.clock.advance(0);
    assert.deepEqual(streamed.received, ['+a{} initially', '+b{}']);
    assert.deepEqual(collection.requests, { list: 0, watch: 1 });
    await streamed.stop();

    collection.streamError = badRequest('sendInitialEvents is forbidden');
    const listed = start(collection, { stream: true });
    await listed.clock.advance(0);
    assert.deepEqual(listed.received, ['+a{} initially', '+b{} initially']);
    assert.equal(collection.requests.list, 1);
    await listed.stop();
  });

  it('backs off between failures and exposes the last error', async () => {
    const collection = new FakeCollection();
    const refusal = forbidden({ group: '', resource: 'configmaps' }, '', 'no');
    for (let count = 0; count < 3; count++) collection.failNext(refusal);
    const { clock, errors, informer, stop } = start(collection);
    for (const delay of [800, 1600, 3200]) {
      await clock.advance(0);
      assert.equal(clock.untilNext, delay);
      await clock.advance(delay);
    }
    assert.equal(informer.hasSynced, true);
    assert.deepEqual(errors, [refusal, refusal, refusal]);
    await stop();
  });

  it('backs off when watches end at once', async () => {
    const collection = new FakeCollection();
    const { clock, stop } = start(collection);
    await clock.advance(0);
    for (let count = 0; count < 3; count++) {
      collection.endWatches();
      await clock.advance(250);
    }
    assert.equal(collection.requests.watch, 1);
    collection.failNext(tooManyRequests('busy', 1));
    await clock.advance(60_000);
    assert.equal(collection.requests.list, 1, 'what is transient is resumed');
    await stop();
  });

  it('lists without pages when pages expire', async () => {
    const collection = new FakeCollection();
    for (const name of ['a', 'b', 'c']) collection.set(name, {});
    const expiring = {
      list: collection.list.bind(collection),
      watch: collection.watch.bind(collection),
      async *pages(options: object) {
        for await (const page of collection.pages(options)) {
          yield page;
          collection.touch();
          collection.compact();
        }
      },
    };
    const clock = new VirtualClock();
    const informer = new SharedInformer<KubernetesObject>(expiring, { pageSize: 1, clock });
    const controller = new AbortController();
    const running = informer.run(controller.signal);
    await clock.advance(0);
    assert.equal(informer.indexer.size, 3);
    assert.equal(informer.state.version, String(collection.version));
    controller.abort();
    await running;
  });

  it('gives other work its turns while it delivers a long list, and during resyncs', async () => {
    const collection = new FakeCollection();
    for (let index = 0; index < 1000; index++) collection.set(`o${index}`, {});
    const { clock, informer, stop } = start(collection, { resyncPeriod: 60_000 });
    const seen = { initially: 0, resynced: 0 };
    const seenByOthers: number[] = [];
    informer.addHandler({
      onAdd: () => {
        if (seen.initially++ === 0) setImmediate(() => seenByOthers.push(seen.initially));
      },
      onUpdate: () => {
        if (seen.resynced++ === 0) setImmediate(() => seenByOthers.push(seen.resynced));
      },
    });
    await clock.advance(0);
    await informer.synced();
    await clock.advance(60_000);
    await eventually(() => assert.deepEqual(seen, { initially: 1000, resynced: 1000 }));
    assert.deepEqual(seenByOthers, [199, 199]);
    await stop();
  });

  it('stores transformed objects, resyncs, and survives errors of handlers', async () => {
    const collection = new FakeCollection();
    collection.set('a', { large: 'x' });
    const transform = (object: KubernetesObject) => ({ ...object, data: {} });
    const { clock, received, informer, errors, stop } = start(collection, { transform, resyncPeriod: 60_000 });
    const fault = new Error('a handler fails');
    informer.addHandler({
      onAdd: () => {
        throw fault;
      },
    });
    await clock.advance(0);
    await clock.advance(60_000);
    assert.deepEqual(received, ['+a{} initially', 'a{} -> a{}']);
    assert.deepEqual(errors, [fault]);
    await stop();
  });

  it('transforms a page before it requests the next', async () => {
    const collection = new FakeCollection();
    for (const name of ['a', 'b', 'c']) collection.set(name, { large: 'x' });
    const transformed: string[] = [];
    const transform = (object: KubernetesObject) => {
      transformed.push(objectKey(object));
      return object;
    };
    const before: number[] = [];
    const source: ObjectSource<KubernetesObject> = {
      list: (options) => collection.list(options),
      watch: (options) => collection.watch(options),
      async *pages(options) {
        for await (const page of collection.pages(options)) {
          before.push(transformed.length);
          yield page;
        }
      },
    };
    const stop = new AbortController();
    const informer = new SharedInformer(source, { transform, pageSize: 1, clock: new VirtualClock() });
    const running = informer.run(stop.signal);
    await informer.synced();
    assert.deepEqual([before, transformed.length], [[0, 1, 2], 3]);
    stop.abort();
    await running;
  });

  it('delivers each object once to a handler that another one adds', async () => {
    const collection = new FakeCollection();
    const { clock, informer, stop } = start(collection);
    const late: string[] = [];
    const adding = informer.addHandler({
      onAdd: () => {
        adding[Symbol.dispose]();
        informer.addHandler(listener(late));
      },
    });
    await clock.advance(0);
    collection.set('a', {});
    collection.set('b', {});
    await clock.advance(0);
    assert.deepEqual(late, ['+a{} initially', '+b{}']);
    await stop();
  });

  it('reports a broken connection', async () => {
    const collection = new FakeCollection();
    const broken = new ConnectionError('connecting', 'refused');
    collection.failNext(broken);
    const { clock, errors, informer, stop } = start(collection);
    await clock.advance(0);
    assert.deepEqual(errors, [broken]);
    await assert.rejects(informer.synced(AbortSignal.abort(new Error('enough'))), /enough/);
    await stop();
  });
});

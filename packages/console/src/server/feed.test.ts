import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { ConfigMap, Pod } from '@binnacle/client/kinds/core/v1';
import { eventually, FakeObjects, ScriptedTransport } from '@binnacle/client/testing';
import { type Batch, Collection, type KindInfo } from '../model/index.js';
import { Feed } from './feed.js';
import { watchableKinds } from './kinds.js';

const kindOf = (resource: string, kind: string): KindInfo => ({
  group: '',
  version: 'v1',
  resource,
  kind,
  namespaced: true,
  shortNames: [],
});
const kinds = [kindOf('pods', 'Pod'), kindOf('configmaps', 'ConfigMap')];
const pod = (name: string, phase: 'Running' | 'Pending' | 'Failed') => ({
  apiVersion: 'v1' as const,
  kind: 'Pod' as const,
  metadata: { name, namespace: 'shop' },
  status: { phase },
});

/** Follows a feed until the test ends: what a page would have. */
function page(feed: Feed, signal: AbortSignal) {
  const collection = new Collection();
  const batches: Batch[] = [];
  const follow = async () => {
    using subscription = feed.subscribe();
    for await (const batch of subscription.batches(systemClock, signal)) {
      collection.apply(batch);
      batches.push(batch);
    }
  };
  const ended = follow().catch(() => undefined);
  return { collection, changes: () => batches.flatMap(({ changes = [] }) => changes), ended };
}

describe('the feed', () => {
  it('gives each page all objects and each change, and reads the server once', async () => {
    const objects = new FakeObjects([Pod, ConfigMap]);
    objects.set(Pod, pod('old', 'Running'));
    const stop = new AbortController();
    const feed = new Feed({ transport: objects.transport, kinds, clock: systemClock });
    const running = feed.run(stop.signal);
    const first = page(feed, stop.signal);
    await eventually(() => assert.equal(first.collection.complete, ''));
    assert.equal(feed.size, 1);
    assert.deepEqual(first.changes(), [], 'what existed before does not count as a change');
    objects.set(Pod, pod('new', 'Pending'));
    objects.set(Pod, pod('old', 'Failed'));
    await eventually(() => assert.equal(first.changes().length, 2));
    objects.delete(Pod, { name: 'new', namespace: 'shop' });
    await eventually(() => assert.equal(first.collection.size, 1));
    assert.deepEqual(
      first.changes().map(({ type, name }) => `${type} ${name}`),
      ['added new', 'changed old', 'gone new'],
    );
    const second = page(feed, stop.signal);
    await eventually(() => assert.equal(second.collection.complete, ''));
    assert.deepEqual(
      Array.from(second.collection.rows(), ({ name, text }) => `${name} ${text}`),
      ['old Failed'],
    );
    const lists = objects.transport.requests.filter(({ path }) => !path.includes('watch'));
    assert.equal(lists.length, kinds.length);
    stop.abort();
    await Promise.all([running, first.ended, second.ended]);
  });

  it('is complete though a kind may not be listed, and says why', async () => {
    const transport = new ScriptedTransport(() => ({
      status: 403,
      object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 403, reason: 'Forbidden', message: 'no' },
    }));
    const stop = new AbortController();
    const feed = new Feed({ transport, kinds, clock: systemClock });
    const running = feed.run(stop.signal);
    const { collection, ended } = page(feed, stop.signal);
    await eventually(() => assert.equal(collection.complete, ''));
    assert.deepEqual(
      [...collection.faults],
      [
        [0, 'no'],
        [1, 'no'],
      ],
    );
    stop.abort();
    await Promise.all([running, ended]);
  });
});

describe('a kind of the feed that was read', () => {
  const status = (code: number, reason: string) => ({
    status: code,
    object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: 'no' },
  });
  for (const [what, answer, faults] of [
    ['has no fault while its watch is broken', status(503, 'ServiceUnavailable'), []],
    ['has a fault once it may no longer be watched', status(403, 'Forbidden'), [[0, 'no']]],
  ] as const) {
    it(what, async () => {
      const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '5' }, items: [] };
      const transport = new ScriptedTransport(({ path }) =>
        path.includes('watch') ? answer : { status: 200, object: list },
      );
      const stop = new AbortController();
      const feed = new Feed({ transport, kinds: kinds.slice(0, 1), clock: systemClock });
      const running = feed.run(stop.signal);
      const { collection, ended } = page(feed, stop.signal);
      await eventually(() => assert.equal(collection.complete, ''));
      await eventually(() => assert.ok(transport.requests.filter(({ path }) => path.includes('watch')).length > 1));
      assert.deepEqual([...collection.faults], faults);
      stop.abort();
      await Promise.all([running, ended]);
    });
  }
});

describe('the kinds of the feed', () => {
  it('can be listed and watched, each once, in the preferred version', () => {
    const resource = (group: string, version: string, name: string, verbs = ['list', 'watch']) => ({
      resource: { group, version, resource: name },
      kind: { group, version, kind: name },
      namespaced: true,
      verbs,
      singularName: '',
      shortNames: [],
      categories: [],
      subresources: [],
    });
    const group = (name: string, ...versions: readonly (readonly [string, ...string[]])[]) => ({
      name,
      versions: versions.map(([version, ...names]) => ({
        version,
        resources: names.map((each) => resource(name, version, each)),
      })),
    });
    const reviews = {
      name: 'x',
      versions: [{ version: 'v1', resources: [resource('x', 'v1', 'reviews', ['create'])] }],
    };
    const surface = {
      groups: [group('apps', ['v2', 'a'], ['v1', 'a', 'b']), group('events.k8s.io', ['v1', 'events']), reviews],
      failures: [],
    };
    assert.deepEqual(
      watchableKinds(surface).map(({ version, resource: name }) => `${version} ${name}`),
      ['v2 a', 'v1 b'],
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FeedGate } from '../cacher/index.js';
import { configMap, type TestResource, testResource, testScope, watchedEvents } from '../testing/index.js';
import type { ListAnswer, ListRequest } from './list.js';
import { ANY, demandOfList, NEWEST, presentDemandOf } from '../request/index.js';

async function create(resource: TestResource, names: readonly string[], namespace = 'default'): Promise<number> {
  for (const name of names) await resource.store.create(testScope({ namespace }), configMap(name));
  return resource.storage.currentRevision();
}

/** A list, with the state that a client would name. */
async function list(
  resource: TestResource,
  request: Partial<ListRequest> & { readonly resourceVersion?: string; readonly match?: string } = {},
): Promise<ListAnswer> {
  const { resourceVersion = '', match: resourceVersionMatch = '', limit = 0, continueToken = '' } = request;
  const demand = demandOfList({ resourceVersion, resourceVersionMatch, limit, continue: continueToken });
  return resource.reader.list({ namespace: '', ...request, demand });
}

const shown = ({ items }: ListAnswer): string => items.map(({ key }) => key.split('/').at(-1)).join(' ');

const from = (watchCache: boolean): string => (watchCache ? 'out of the cache' : 'out of the store');

const remove = (resource: TestResource, name: string) => resource.store.delete(testScope(), name, {});

for (const watchCache of [true, false]) {
  describe(`ResourceReader.list, ${from(watchCache)}`, () => {
    it('returns the newest state', async () => {
      await using resource = testResource({ watchCache });
      const revision = await create(resource, ['b', 'a']);
      const answer = await list(resource);
      assert.equal(shown(answer), 'a b');
      assert.equal(answer.revision, revision);
    });

    it('separates namespaces that share a prefix', async () => {
      await using resource = testResource({ watchCache });
      await create(resource, ['a'], 'team');
      await create(resource, ['b'], 'team-2');
      assert.equal(shown(await list(resource, { namespace: 'team' })), 'a');
      assert.equal(shown(await list(resource)), 'b a', 'by the bytes of the keys');
    });

    for (const source of ['the cache', 'history'] as const) {
      it(`pages through one state out of ${source}`, async () => {
        await using resource = testResource({ watchCache });
        await create(resource, ['a', 'b', 'c', 'd', 'e']);
        const first = await list(resource, { limit: 2 });
        assert.equal(first.remainingItemCount, 3);
        if (source === 'history') {
          await remove(resource, 'b');
          await remove(resource, 'c');
          await create(resource, ['cc', 'f']);
        }
        const second = await list(resource, { limit: 2, continueToken: first.continueToken });
        const third = await list(resource, { limit: 2, continueToken: second.continueToken });
        assert.deepEqual([first, second, third].map(shown), ['a b', 'c d', 'e']);
        assert.deepEqual([second.remainingItemCount, third.remainingItemCount], [1, undefined]);
        assert.equal(third.continueToken, '');
        assert.deepEqual(new Set([first, second, third].map(({ revision }) => revision)), new Set([first.revision]));
      });

      it(`fills a page with matches out of ${source} and does not search for the next one`, async () => {
        await using resource = testResource({ watchCache });
        await create(resource, ['a', 'b', 'c', 'd']);
        const { revision } = await list(resource);
        if (source === 'history') await create(resource, ['e']);
        const filter = ({ key }: { readonly key: string }) => key.endsWith('/b') || key.endsWith('/c');
        const request = { filter, limit: 2, resourceVersion: String(revision), match: 'Exact' };
        const first = await list(resource, request);
        assert.equal(shown(first), 'b c');
        assert.equal(first.remainingItemCount, undefined);
        const rest = await list(resource, { filter, limit: 2, continueToken: first.continueToken });
        assert.deepEqual([shown(rest), rest.continueToken], ['', '']);
      });
    }

    it('reads only the object that the selector names, and returns no continue token', async () => {
      await using resource = testResource({ watchCache });
      await create(resource, ['a', 'b', 'bb', 'c']);
      const named = { namespace: 'default', name: 'b', filter: ({ key }: { key: string }) => key.endsWith('/b') };
      const one = await list(resource, { ...named, limit: 1 });
      assert.deepEqual([shown(one), one.continueToken], ['b', '']);
      const two = await list(resource, { namespace: 'default', limit: 2 });
      assert.equal(shown(await list(resource, { ...named, continueToken: two.continueToken })), '');
      await remove(resource, 'b');
      const past = { ...named, resourceVersion: String(one.revision), match: 'Exact' };
      assert.equal(shown(await list(resource, past)), 'b');
      assert.equal(shown(await list(resource, named)), '');
      assert.equal(shown(await list(resource, { ...named, name: 'b'.repeat(2000) })), '');
    });

    it('returns the state exactly at a revision, or one at least as new', async () => {
      await using resource = testResource({ watchCache });
      const before = await create(resource, ['a']);
      await create(resource, ['b']);
      const at = String(before);
      assert.equal(shown(await list(resource, { resourceVersion: at, match: 'Exact' })), 'a');
      assert.equal(shown(await list(resource, { resourceVersion: at, limit: 5 })), 'a');
      assert.equal(shown(await list(resource, { resourceVersion: at, match: 'NotOlderThan', limit: 5 })), 'a b');
      assert.equal(shown(await list(resource, { resourceVersion: at })), 'a b');
    });

    it(`accepts any state for every spelling of 0, and ${watchCache ? 'ignores' : 'keeps'} the limit with "0"`, async () => {
      await using resource = testResource({ watchCache });
      await create(resource, ['a', 'b']);
      assert.equal(shown(await list(resource, { resourceVersion: '0', limit: 1 })), watchCache ? 'a b' : 'a');
      assert.equal(shown(await list(resource, { resourceVersion: '00', limit: 1 })), 'a');
      assert.equal(shown(await list(resource, { resourceVersion: '00' })), 'a b');
      assert.equal(shown(await list(resource, { resourceVersion: '00', match: 'Exact' })), 'a b');
      assert.equal(
        (await resource.reader.find('default', 'a', presentDemandOf('00')))?.key,
        '/registry/configmaps/default/a',
      );
    });

    it('continues inconsistently after a compaction if the client accepts that', async () => {
      await using resource = testResource({ watchCache });
      await create(resource, ['a', 'b', 'c']);
      // Compaction would interrupt the build of the cache.
      await resource.cacher.ready();
      const first = await list(resource, { limit: 1 });
      await remove(resource, 'b');
      const revision = await create(resource, ['bb']);
      await resource.kv.compact(revision);
      const refused = await list(resource, { limit: 1, continueToken: first.continueToken }).then(
        () => assert.fail(),
        (error: unknown) => error as { code: number; status: { reason: string; metadata: { continue?: string } } },
      );
      assert.equal(refused.status.reason, 'Expired');
      const rest = await list(resource, { continueToken: refused.status.metadata.continue ?? '' });
      assert.equal(shown(rest), 'bb c');
      await assert.rejects(list(resource, { resourceVersion: '2', match: 'Exact' }), { code: 410 });
    });

    it('refuses an invalid resourceVersion, and waits a bounded time for a future one', async () => {
      await using resource = testResource({ watchCache });
      await create(resource, ['a']);
      await assert.rejects(list(resource, { resourceVersion: 'x' }), {
        code: 400,
        message: /parsing "x": invalid syntax/,
      });
      await assert.rejects(list(resource, { resourceVersion: '9'.repeat(30) }), { message: /value out of range/ });
      await assert.rejects(list(resource, { continueToken: 'YQ' }), {
        code: 400,
        message: /^invalid continue token: /,
      });
      await assert.rejects(list(resource, { resourceVersion: '99999', match: 'Exact' }), { code: 504 });
      const future = assert.rejects(list(resource, { resourceVersion: '99999' }), {
        code: 504,
        message: /Too large resource version: 99999/,
      });
      await resource.clock.advance(3000);
      await future;
    });

    it('returns the state at every revision of the history', async () => {
      await using resource = testResource({ watchCache });
      const states: [number, string][] = [];
      for (const name of ['c', 'a', 'b', 'd'])
        states.push([await create(resource, [name]), shown(await list(resource))]);
      await remove(resource, 'a');
      for (const [revision, expected] of states) {
        const answer = await list(resource, { resourceVersion: String(revision), match: 'Exact' });
        assert.equal(shown(answer), expected);
        assert.equal(answer.revision, revision);
      }
    });

    it('fails when neither the store nor the cache can answer', async () => {
      const resource = testResource({ watchCache });
      resource.cacher.stop();
      await resource.kv.close();
      await assert.rejects(list(resource), { code: watchCache ? 429 : 'unavailable' });
    });
  });

  describe(`ResourceReader.get, ${from(watchCache)}`, () => {
    it('finds objects by any name that is valid in a path, and returns 404 for others', async () => {
      await using resource = testResource({ watchCache });
      await create(resource, ['a']);
      assert.equal((await resource.reader.get('default', 'a')).decode().metadata.name, 'a');
      await assert.rejects(resource.reader.get('default', 'b'), { code: 404, message: 'configmaps "b" not found' });
      await assert.rejects(resource.reader.get('default', '__proto__'), { code: 404 });
      await assert.rejects(resource.reader.get('default', '..'), {
        code: 400,
        message: `Name parameter invalid: "..": may not be '..'`,
      });
      await assert.rejects(resource.reader.get('default', 'a/b'), { code: 400, message: /may not contain '\/'/ });
    });
  });

  describe(`ResourceReader.watch, ${from(watchCache)}`, () => {
    const all = { namespace: '', filter: undefined };

    it('starts with the current objects, after a revision, or from now', async () => {
      await using resource = testResource({ watchCache });
      const first = await create(resource, ['a']);
      const second = await create(resource, ['b']);
      const initial = await resource.reader.watch(all, NEWEST, true);
      const after = await resource.reader.watch(all, presentDemandOf(String(first)), false);
      const now = [await resource.reader.watch(all, ANY, false), await resource.reader.watch(all, NEWEST, false)];
      const future = await resource.reader.watch(all, presentDemandOf(String(second + 1)), false);
      const third = await create(resource, ['c']);
      const fourth = await create(resource, ['d']);
      await new Promise((resolve) => setImmediate(resolve));
      const added = [`ADDED a ${first}`, `ADDED b ${second}`, `ADDED c ${third}`, `ADDED d ${fourth}`];
      assert.deepEqual(watchedEvents(initial.watcher), added);
      assert.equal(initial.initialCount, 2);
      assert.deepEqual(watchedEvents(after.watcher), added.slice(1));
      for (const watch of now) assert.deepEqual(watchedEvents(watch.watcher), added.slice(2));
      assert.deepEqual(watchedEvents(future.watcher), added.slice(3));
    });
  });
}

it('lists a past state of the cache although a change arrives meanwhile', async (context) => {
  const held: (() => void)[] = [];
  const gate = { held: false };
  const pass = (call: () => void): void => {
    if (gate.held) held.push(call);
    else call();
  };
  const feedGate: FeedGate = {
    get held() {
      return gate.held;
    },
    guard: (sink) => ({
      batch: (batch) => pass(() => sink.batch(batch)),
      progress: (revision) => pass(() => sink.progress(revision)),
      ended: (error) => pass(() => sink.ended(error)),
    }),
  };
  await using resource = testResource({ cacher: { feedGate } });
  const revision = await create(resource, ['a', 'b']);
  await list(resource);
  gate.held = true;
  await remove(resource, 'a');
  const { cacher } = resource;
  const stateAt = cacher.stateAt.bind(cacher);
  const release = context.mock.method(cacher, 'stateAt', (wanted: number) => {
    queueMicrotask(() => held.splice(0).forEach((call) => call()));
    return stateAt(wanted);
  });
  const past = { resourceVersion: String(revision), match: 'Exact' };
  assert.equal(shown(await list(resource, past)), 'a b');
  assert.deepEqual([release.mock.callCount(), held.length], [1, 0], 'the change has arrived');
  assert.equal(shown(await list(resource, past)), 'a b');
});

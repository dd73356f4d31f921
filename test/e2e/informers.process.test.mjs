/** Informers against a server with injected faults. Only the test moves their clock, so no delay is waited for. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { objectKey, SharedInformer } from '@binnacle/client';
import { ConfigMap } from '@binnacle/client/kinds/core/v1';
import { frozen, VirtualClock } from '@binnacle/client/testing';
import { testServer } from 'binnacle/testing';

const about = { resource: 'configmaps', verb: ['list', 'watch'] };
const answer = (code) => ({ match: about, times: 2, action: { type: 'answer', code } });
const cut = (how) => ({ match: { ...about, verb: 'watch' }, times: 1, action: { type: 'cutWatch', how } });
const drop = { match: about, times: 2, action: { type: 'drop' } };
/** Each entry is one period of faults. */
const trouble = [
  [cut('end')],
  [cut('break')],
  [cut('expire')],
  [cut('break'), answer(429)],
  [cut('expire'), answer(500)],
  [cut('expire'), answer(403)],
  [cut('end'), answer(410)],
  [cut('expire'), drop],
];

/** The state from a handler's events; it fails on an impossible event. */
class Mirror {
  objects = new Map();

  onAdd(object) {
    assert.equal(this.objects.has(objectKey(object)), false, 'added twice');
    this.objects.set(objectKey(object), object);
  }

  onUpdate(before, after) {
    assert.equal(this.objects.get(objectKey(after)), before, 'updated from what was never told');
    assert.equal(before.metadata.uid, after.metadata.uid);
    this.objects.set(objectKey(after), after);
  }

  onDelete(object) {
    assert.equal(this.objects.delete(objectKey(object)), true, 'deleted what was never told');
  }
}

/** A source that always uses the current server. */
function sourceOf(serving) {
  const maps = () => serving.now.client.resource(ConfigMap).namespace('default');
  return {
    list: (options) => maps().list(options),
    pages: (options) => maps().pages(options),
    watch: (options) => maps().watch(options),
  };
}

const versions = (objects) =>
  objects.map((object) => `${objectKey(object)} ${object.metadata.resourceVersion}`).toSorted();

describe('informers', { timeout: 600_000 }, () => {
  for (const stream of [false, true]) {
    it(`follow a server through every fault, over ${stream ? 'a stream' : 'a list'} and a watch`, async () => {
      const serving = { now: await testServer({ controllers: '' }) };
      const clock = new VirtualClock();
      const mirror = new Mirror();
      const faults = [];
      const onError = (error) => {
        if (error instanceof assert.AssertionError) faults.push(error);
      };
      const informer = new SharedInformer(sourceOf(serving), {
        clock,
        stream,
        onError,
        pageSize: 7,
        transform: frozen,
      });
      informer.addHandler(mirror);
      const controller = new AbortController();
      const running = informer.run(controller.signal);

      const write = async (round) => {
        const maps = serving.now.client.resource(ConfigMap).namespace('default');
        for (let index = 0; index < 20; index++) {
          const name = `map-${(round * 7 + index * 3) % 31}`;
          const data = { round: String(round) };
          const written = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
          if (index % 4 === 0) await maps.delete(name).catch(() => undefined);
          else await maps.apply(written, { fieldManager: 'test' });
        }
      };
      /** Advances the clock until the informer has the server's state. */
      const converge = async (what) => {
        const wanted = versions((await serving.now.client.resource(ConfigMap).namespace('default').list()).items);
        const give = performance.now() + 20_000;
        for (;;) {
          const held = versions(informer.lister.list());
          if (informer.hasSynced && held.join() === wanted.join()) break;
          if (performance.now() > give) assert.deepEqual(held, wanted, what);
          await clock.advance(1000);
        }
        assert.deepEqual(faults, []);
        assert.deepEqual(versions([...mirror.objects.values()]), wanted, 'a handler knows what the cache holds');
      };

      await write(0);
      await converge('the first list');
      for (const [index, rules] of trouble.entries()) {
        const added = rules.map((rule) => serving.now.faults.add(rule));
        await write(index + 1);
        const give = performance.now() + 20_000;
        while (added.some(({ hits, rule }) => hits < rule.times) && performance.now() < give) await clock.advance(1000);
        assert.deepEqual(
          added.map(({ hits }) => hits),
          rules.map(({ times }) => times),
          'all of it has happened',
        );
        await converge(JSON.stringify(rules));
      }
      const restarted = await serving.now.fork();
      await serving.now.stop();
      serving.now = restarted;
      await write(51);
      await converge('after a restart');

      controller.abort();
      await running;
      assert.equal(clock.waiting, 0);
      await serving.now.stop();
    });
  }
});

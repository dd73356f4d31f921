import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { withoutEtcd } from '@binnacle/kv/testing';
import { NOTICES, ServedStore, stores } from './stores.mjs';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
/** Only the test writes these. */
const SECRETS = '/api/v1/namespaces/default/secrets';
const limit = { timeout: 600_000 };

const object = (name) => ({ metadata: { name } });
const namesOf = ({ body }) => body.items.map(({ metadata }) => metadata.name);
const expired = (message, metadata = {}) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata,
  status: 'Failure',
  message,
  reason: 'Expired',
  code: 410,
});

/** Upstream: apiserver `pkg/storage/etcd3/errors.go`. */
const LIST_EXPIRED = 'The resourceVersion for the provided list is too old.';
const WATCH_EXPIRED = 'The resourceVersion for the provided watch is too old.';
const CONTINUE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

async function until(condition, what) {
  for (let tries = 0; !condition(); tries++) {
    assert.ok(tries < 1000, `waited too long for ${what}`);
    await pause(10);
  }
}

function testHistory(store, watchCache) {
  let served;
  const send = async (status, ...request) => {
    const answer = await served.client.send(...request);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    return answer;
  };
  const create = async (path, name) =>
    Number((await send(201, 'POST', path, object(name))).body.metadata.resourceVersion);

  before(async () => {
    served = await ServedStore.open(store, NOTICES);
    await served.start({ watchCache });
  }, limit);
  after(() => served?.close());

  /** Resolves the newest revision. */
  const writeElsewhere = async () => {
    for (let count = 0; count < 20; count++) await create(CONFIG_MAPS, `busy-${count}`);
    return create(CONFIG_MAPS, 'busy');
  };

  /** Everything older is gone: from the store by compaction, from the cache with the server. */
  const forgetBefore = async (revision) => {
    await served.end();
    await served.start({ watchCache });
    await served.kv.compact(revision);
  };

  it('is refused as expired once it has been compacted', limit, async () => {
    const first = await create(CONFIG_MAPS, 'a');
    for (const name of ['b', 'c', 'd', 'e']) await create(CONFIG_MAPS, name);
    const page = await send(200, 'GET', `${CONFIG_MAPS}?limit=2`);
    assert.deepEqual(namesOf(page), ['a', 'b']);
    const old = page.body.metadata.resourceVersion;
    await send(200, 'DELETE', `${CONFIG_MAPS}/d`);
    const newest = await create(CONFIG_MAPS, 'f');
    const exact = `${CONFIG_MAPS}?resourceVersionMatch=Exact&resourceVersion=${old}`;
    assert.deepEqual(namesOf(await send(200, 'GET', exact)), ['a', 'b', 'c', 'd', 'e']);
    await forgetBefore(newest);

    assert.deepEqual((await send(410, 'GET', exact)).body, expired(LIST_EXPIRED));
    const paged = `${CONFIG_MAPS}?limit=2&resourceVersion=${old}`;
    assert.deepEqual((await send(410, 'GET', paged)).body, expired(LIST_EXPIRED));

    const next = (token) => `${CONFIG_MAPS}?limit=2&continue=${encodeURIComponent(token)}`;
    const refused = (await send(410, 'GET', next(page.body.metadata.continue))).body;
    const { continue: fresh } = refused.metadata;
    assert.deepEqual(refused, expired(CONTINUE_EXPIRED, { continue: fresh }));
    const rest = await send(200, 'GET', next(fresh));
    assert.deepEqual(namesOf(rest), ['c', 'e']);
    assert.ok(Number(rest.body.metadata.resourceVersion) >= newest, 'the rest is of the newest state');
    assert.deepEqual(namesOf(await send(200, 'GET', next(rest.body.metadata.continue))), ['f']);

    const abort = new AbortController();
    const watch = await served.client.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${first}`, abort.signal);
    await watch.ended;
    assert.deepEqual(watch.events, [{ type: 'ERROR', object: expired(WATCH_EXPIRED) }]);
  });

  it('is not needed by a watch of objects that do not change: it resumes from a bookmark', limit, async () => {
    const list = await send(200, 'GET', SECRETS);
    const begin = list.body.metadata.resourceVersion;
    const watching = (from, seconds) =>
      `${SECRETS}?watch=1&allowWatchBookmarks=1&resourceVersion=${from}&timeoutSeconds=${seconds}`;
    let newest = 0;
    let bookmark = 0;
    for (let tries = 0; tries === 0 || bookmark < newest; tries++) {
      assert.ok(tries < 5, `the bookmark says ${bookmark}, the store had reached ${newest}`);
      // The last bookmark comes two seconds before the end.
      const asleep = await served.client.watch(watching(begin, 4), new AbortController().signal);
      if (tries === 0) newest = await writeElsewhere();
      await asleep.ended;
      assert.deepEqual(
        asleep.events.map(({ type }) => type),
        ['BOOKMARK'],
      );
      bookmark = Number(asleep.events[0].object.metadata.resourceVersion);
    }

    await forgetBefore(bookmark);
    const abort = new AbortController();
    const resumed = await served.client.watch(watching(bookmark, 60), abort.signal);
    const revision = await create(SECRETS, `after-${bookmark}`);
    await until(() => resumed.events.length > 0, 'the event');
    assert.deepEqual(
      resumed.events.map(({ type, object: { metadata } }) => [type, Number(metadata.resourceVersion)]),
      [['ADDED', revision]],
    );
    abort.abort();
    await resumed.ended;
  });
}

// All at once, because most of the time is waiting.
describe('history', { concurrency: true }, () => {
  for (const store of stores) {
    for (const watchCache of [true, false]) {
      const what = `in ${store.name}, ${watchCache ? 'with' : 'without'} the watch cache`;
      describe(what, { concurrency: 1, skip: store.isEtcd && withoutEtcd() }, () => testHistory(store, watchCache));
    }
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Answer,
  answer,
  configMap,
  testResource,
  type TestResourceOptions,
  withMethods,
} from '../testing/index.js';

const collection = '/api/v1/namespaces/default/configmaps';
const history = (path: string) => `/binnacle/v1/history${path}`;

interface Item {
  readonly type: string;
  readonly resourceVersion: string;
  readonly time: string;
  readonly writer?: { readonly user: string; readonly manager: string; readonly verb: string };
  readonly object?: { readonly metadata: { readonly name: string }; readonly data?: Record<string, string> };
  readonly previous?: Item['object'];
  readonly forgotten?: readonly string[];
  readonly reference?: object;
}

interface Page {
  readonly metadata: { readonly resourceVersion: string; readonly since: string; readonly continue?: string };
  readonly items: readonly Item[];
}

const pageOf = ({ body }: Answer) => JSON.parse(body) as Page;
const line = ({ type, resourceVersion, time, writer, object, previous }: Item): string =>
  [
    `${resourceVersion} ${time.slice(17, 19)}s ${type} ${(object ?? previous)?.metadata.name}`,
    `${previous?.data?.['color']}->${object?.data?.['color']}`,
    writer && `${writer.user} ${writer.manager} ${writer.verb}`,
  ].join(' ');

async function written(options: TestResourceOptions = {}) {
  const resource = testResource(options);
  const { endpoint, clock } = resource;
  const send = async (method: string, url: string, object?: object) => {
    const headers = { 'content-type': 'application/json', 'user-agent': 'tester/1' };
    const user = { name: 'ann', groups: [], uid: '', extra: {} };
    const body = object === undefined ? {} : { body: JSON.stringify(object) };
    const { status } = await answer(endpoint, { method, url, headers, user, ...body });
    assert.ok(status < 300);
    clock.skip(1000);
  };
  await send('POST', collection, configMap('a', { data: { color: 'red' } }));
  await send('POST', `${collection}?fieldManager=painter`, configMap('b', { data: { color: 'red' } }));
  await send('PUT', `${collection}/a`, configMap('a', { data: { color: 'blue' } }));
  await send('DELETE', `${collection}/a`);
  return resource;
}

describe('the history of objects', () => {
  it('names who made each change, newest first', async () => {
    await using resource = await written();
    const page = pageOf(await answer(resource.endpoint, { url: history(collection) }));
    assert.deepEqual(page.items.map(line), [
      '5 08s DELETED a blue->undefined ann tester delete',
      '4 07s MODIFIED a red->blue ann tester update',
      '3 06s ADDED b undefined->red ann painter create',
      '2 05s ADDED a undefined->red ann tester create',
    ]);
    assert.deepEqual(page.metadata, { resourceVersion: '5', since: '0' });
  });

  it('is that of one object, between versions or times, page by page', async () => {
    await using resource = await written();
    const lines = async (path: string) => {
      const { items, metadata } = pageOf(await answer(resource.endpoint, { url: history(path) }));
      return [
        items.map(({ resourceVersion }) => resourceVersion).join(' '),
        metadata.resourceVersion,
        metadata.continue,
      ];
    };
    assert.deepEqual(await lines(`${collection}/a`), ['5 4 2', '5', undefined]);
    assert.deepEqual(await lines(`${collection}/a?limit=2`), ['5 4', '5', '3']);
    assert.deepEqual(await lines(`${collection}/a?limit=2&continue=3`), ['2', '5', undefined]);
    assert.deepEqual(await lines(`${collection}?since=2&until=4`), ['4 3', '4', undefined]);
    assert.deepEqual(await lines(`${collection}?since=2026-01-02T03:04:05Z&until=2026-01-02T03:04:07.5Z`), [
      '4 3',
      '4',
      undefined,
    ]);
    assert.deepEqual(await lines(`${collection}?until=2026-01-02T03:04:06Z&limit=1`), ['3', '3', '3']);
    assert.deepEqual(await lines(`${collection}/none`), ['', '5', undefined]);
    assert.deepEqual(await lines('/api/v1/configmaps?limit=1'), ['5', '5', '5']);
  });

  it('is gone after a compaction, which the answer says', async () => {
    await using resource = await written();
    await resource.kv.compact(4);
    const { items, metadata } = pageOf(await answer(resource.endpoint, { url: history(collection) }));
    assert.deepEqual([items.map(line).length, metadata.since], [1, '4']);
    for (const query of ['since=2', 'until=2', 'until=2026-01-02T03:04:05Z', 'continue=3']) {
      const { status, body } = await answer(resource.endpoint, { url: history(`${collection}?${query}`) });
      assert.equal(status, 410, query);
      assert.match(body, /The history is no longer kept: .*has been compacted, the oldest/);
    }
    const since = await answer(resource.endpoint, { url: history(`${collection}?since=2025-01-01T00:00:00Z`) });
    assert.equal(pageOf(since).metadata.since, '4', 'a time before all that is kept');
  });

  it('lists events whose values are forgotten, and refuses lists of the state at that time', async () => {
    await using resource = await written({ watchCache: false });
    await resource.kv.forgetValues?.('/registry/configmaps/', 4);
    const { items } = pageOf(await answer(resource.endpoint, { url: history(`${collection}/a`) }));
    const reference = { kind: 'ConfigMap', namespace: 'default', name: 'a' };
    assert.deepEqual(
      items.map(({ type, forgotten, reference: of, writer }) => [type, forgotten, of, writer?.verb]),
      [
        ['DELETED', undefined, undefined, 'delete'],
        ['MODIFIED', ['previous'], reference, 'update'],
        ['ADDED', ['object'], reference, 'create'],
      ],
    );
    assert.deepEqual(
      items.map(({ object, previous }) => [object?.data?.['color'], previous?.data?.['color']]),
      [
        [undefined, 'blue'],
        ['blue', undefined],
        [undefined, undefined],
      ],
    );
    const list = (revision: number) =>
      answer(resource.endpoint, { url: `${collection}?resourceVersion=${revision}&resourceVersionMatch=Exact` });
    assert.equal((await list(4)).status, 200);
    const { status, body } = await list(3);
    assert.equal(status, 410);
    assert.match(body, /is too old\. The values of these objects before 4 are forgotten\./);
  });

  it('is refused for other methods, subresources, unknown names of time and stores without it', async () => {
    await using resource = await written();
    const statusOf = async (url: string, method = 'GET') => (await answer(resource.endpoint, { url, method })).status;
    assert.equal(await statusOf(history(collection), 'POST'), 405);
    assert.equal(await statusOf(history(`${collection}/a`), 'DELETE'), 405);
    assert.equal(await statusOf(history(`${collection}/a/status`)), 404);
    assert.equal(await statusOf(history('/api/v1/watch/namespaces/default/configmaps')), 405);
    for (const query of [
      'since=yesterday',
      'limit=0',
      'limit=x',
      'continue=0',
      'continue=99999999999999999',
      'until=99',
      'fieldSelector=metadata.name%3Da',
      'labelSelector=a%3Db',
    ]) {
      assert.equal(await statusOf(history(`${collection}?${query}`)), 400, query);
    }
    await using remote = testResource({ wrapKV: (kv) => withMethods(kv, {}) });
    const { status, body } = await answer(remote.endpoint, { url: history(collection) });
    assert.deepEqual([status, /etcd, keeps no history/.test(body)], [400, true]);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { forbidden } from '@binnacle/apimachinery/status';
import type { AdmissionPlugin } from '../admission/index.js';
import { parseRequestInfo, RequestContext } from '../request/index.js';
import {
  answer,
  configMap,
  describeWatchCacheModes,
  FakeExchange,
  type TestResource,
  testResource,
  testScope,
  type WatchCacheMode,
} from '../testing/index.js';
import { deleteCollection } from './delete.js';

const URL = '/api/v1/namespaces/default/configmaps';

async function filled(mode: WatchCacheMode, names: readonly string[]): Promise<TestResource> {
  const resource = testResource(mode);
  for (const name of names) {
    await resource.store.create(testScope(), configMap(name, { labels: { first: String(name < 'c') } }));
  }
  return resource;
}

async function send(resource: TestResource, path: string, body = '') {
  const { status, body: text } = await answer(resource.endpoint, { method: 'DELETE', url: URL + path, body });
  return {
    status,
    document: JSON.parse(text) as {
      items?: { metadata: { name: string } }[];
      status?: string;
      message?: string;
      details?: object;
    },
  };
}

async function left(resource: TestResource): Promise<string> {
  return (await resource.reader.list({ namespace: '' })).items.map(({ key }) => key.split('/').at(-1)).join(' ');
}

describeWatchCacheModes('DELETE of one object', (mode) => {
  it('returns a Status for a deleted object, and the object if it is only marked', async () => {
    await using resource = await filled(mode, ['a']);
    await resource.store.create(testScope(), configMap('b', { finalizers: ['x/y'] }));
    const gone = await send(resource, '/a');
    assert.equal(gone.status, 200);
    assert.equal(gone.document.status, 'Success');
    assert.match(JSON.stringify(gone.document.details), /^\{"name":"a","kind":"configmaps","uid":"/);
    const held = await send(resource, '/b');
    assert.match(JSON.stringify(held.document), /"deletionTimestamp":"2026-01-02T03:04:05Z"/);
    assert.equal((await send(resource, '/b', '{"orphanDependents":false}')).status, 202);
  });

  it('reads its options from the body or the query', async () => {
    await using resource = await filled(mode, ['a', 'b']);
    assert.equal((await send(resource, '/b', 'null')).status, 200);
    assert.equal((await send(resource, '/a', '{"preconditions":{"uid":"other"}}')).status, 409);
    assert.equal((await send(resource, '/a?dryRun=All')).status, 200);
    assert.equal(await left(resource), 'a');
    assert.equal((await send(resource, '/a', '{"kind":')).status, 400);
    assert.equal((await send(resource, '/a', '[]')).status, 400);
    assert.equal((await send(resource, '/a', '{"kind":"DeleteOptions","apiVersion":"v1"}')).status, 200);
    assert.equal((await send(resource, '/a')).status, 404);
  });
});

describeWatchCacheModes('DELETE of a kind that warns of its default policy', (mode) => {
  const cases: readonly (readonly [path: string, body: string, warned: boolean])[] = [
    ['/missing', '', true],
    ['/missing', '{"propagationPolicy":"Orphan"}', false],
    ['/missing?propagationPolicy=Background', '', false],
    ['/missing', '{"orphanDependents":false}', false],
    ['', '', true],
    ['?propagationPolicy=Background', '', false],
  ];
  for (const [path, body, warned] of cases) {
    it(`${warned ? 'warns' : 'does not warn'} at ${path} ${body}`, async () => {
      await using resource = testResource({ ...mode, strategy: { unnamedPropagationWarning: 'children stay' } });
      const { warnings } = await answer(resource.endpoint, { method: 'DELETE', url: URL + path, body });
      assert.deepEqual(warnings, warned ? ['children stay'] : []);
    });
  }
});

describeWatchCacheModes('the options of a DELETE', (mode) => {
  const wrong = (value: string, field: string, type: string): string =>
    `json: cannot unmarshal ${value} into Go struct field ${field} of type ${type}`;
  const ignored = 'ignoreStoreReadErrorWithClusterBreakingPotential';
  const cases: readonly (readonly [body: string, message: string])[] = [
    ['{"gracePeriodSeconds":"x"}', wrong('string', 'DeleteOptions.gracePeriodSeconds', 'int64')],
    ['{"gracePeriodSeconds":1.0}', wrong('number 1.0', 'DeleteOptions.gracePeriodSeconds', 'int64')],
    ['{"gracePeriodSeconds":1e400}', wrong('number 1e400', 'DeleteOptions.gracePeriodSeconds', 'int64')],
    ['{"preconditions":{"uid":1}}', wrong('number', 'Preconditions.preconditions.uid', 'types.UID')],
    [`{"${ignored}":"yes"}`, wrong('string', `DeleteOptions.${ignored}`, 'bool')],
    ['{"kind":1}', `couldn't get version/kind; json parse error: ${wrong('number', '.kind', 'string')}`],
    ['{"apiVersion":"a/b/c"}', 'unexpected GroupVersion string: a/b/c'],
    ['{"kind":"Pod"}', 'decoded object cannot be converted to DeleteOptions'],
  ];
  for (const [body, message] of cases) {
    it(`refuse ${body}`, async () => {
      await using resource = await filled(mode, ['a']);
      const { status, document } = await send(resource, '/a', body);
      assert.deepEqual([status, document.message], [400, message]);
    });
  }
});

describeWatchCacheModes('DELETE of a collection', (mode) => {
  it('deletes the selected objects and returns them', async () => {
    await using resource = await filled(mode, ['a', 'b', 'c', 'd']);
    const { status, document } = await send(resource, '?labelSelector=first%3Dtrue');
    assert.equal(status, 200);
    assert.deepEqual(
      document.items?.map(({ metadata }) => metadata.name),
      ['a', 'b'],
    );
    assert.equal(await left(resource), 'c d');
    await send(resource, '?fieldSelector=metadata.name%3Dd');
    assert.equal(await left(resource), 'c');
    await send(resource, '?dryRun=All');
    assert.equal(await left(resource), 'c');
  });

  it('deletes no object that is newer than its version, unless the match allows it', async () => {
    await using resource = await filled(mode, ['a']);
    const { revision } = await resource.reader.list({ namespace: '' });
    await resource.store.create(testScope(), configMap('b'));
    // Without a body, the version would also be a precondition.
    const body = '{"kind":"DeleteOptions","apiVersion":"v1"}';
    assert.equal((await send(resource, `?resourceVersion=${revision}`, body)).status, 200);
    assert.equal(await left(resource), 'b');
    const match = `?resourceVersion=${revision}&resourceVersionMatch=NotOlderThan`;
    assert.equal((await send(resource, match, body)).status, 200);
    assert.equal(await left(resource), '');
  });

  it('deletes many objects while other requests delete them too', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `o${index}`);
    await using resource = await filled(mode, names);
    const answers = await Promise.all([send(resource, ''), send(resource, ''), send(resource, '?limit=10')]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(await left(resource), '');
  });

  it('stops at the first failure and reports it', async () => {
    await using resource = await filled(mode, ['a', 'b', 'c']);
    const { status } = await send(resource, '', '{"preconditions":{"uid":"other"}}');
    assert.equal(status, 409);
    assert.equal(await left(resource), 'a b c');
  });

  for (const ordersDeletes of [true, false]) {
    it(`${ordersDeletes ? 'deletes in the order of the list' : 'deletes many at once'}, as its plugins need`, async () => {
      await using resource = await filled(mode, ['a', 'b', 'c', 'd']);
      const begun: string[] = [];
      const seen: string[] = [];
      const plugin: AdmissionPlugin = {
        name: 'Witness',
        handles: () => true,
        ordersDeletes: ({ operation, namespace }) => operation === 'DELETE' && namespace !== '' && ordersDeletes,
        async validate({ oldObject }) {
          const name = oldObject?.metadata.name ?? '';
          begun.push(name);
          // The first calls take longest.
          for (let wait = name === 'a' ? 20 : 5; wait > 0; wait--) await loop();
          seen.push(`${name} of ${await left(resource)}`);
          if (name === 'c') throw forbidden({ group: '', resource: 'configmaps' }, name, 'not this one');
        },
      };
      const { status } = await send({ ...resource, endpoint: { ...resource.endpoint, plugins: [plugin] } }, '');
      assert.equal(status, 403);
      if (ordersDeletes)
        assert.deepEqual([seen, await left(resource)], [['a of a b c d', 'b of b c d', 'c of c d'], 'c d']);
      else assert.deepEqual([begun.toSorted(), seen.length], [['a', 'b', 'c', 'd'], 4]);
    });
  }

  it('deletes nothing once its request has ended', async () => {
    await using resource = await filled(mode, ['a', 'b']);
    const exchange = new FakeExchange({ method: 'DELETE', url: URL });
    const query = new URLSearchParams();
    const context = new RequestContext(exchange, URL, query, 0);
    context.info = parseRequestInfo('DELETE', URL, query);
    const reason = new Error('the deadline has passed');
    exchange.abort(reason);
    await assert.rejects(deleteCollection(context, resource.endpoint), reason);
    assert.equal(await left(resource), 'a b');
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  answer,
  configMap,
  describeWatchCacheModes,
  type TestResource,
  testResource,
  testScope,
  type WatchCacheMode,
} from '../testing/index.js';

async function filled(mode: WatchCacheMode): Promise<TestResource> {
  const resource = testResource(mode);
  const create = (namespace: string, name: string, labels: Record<string, string>) =>
    resource.store.create(testScope({ namespace }), configMap(name, { labels }));
  await create('x', 'a', { app: 'one' });
  await create('x', 'b', { app: 'two' });
  await create('y', 'a', { app: 'two' });
  await create('y', 'ba', {});
  return resource;
}

async function listed(resource: TestResource, path: string, query: Record<string, string>): Promise<string> {
  const url = `/api/v1/${path}?${new URLSearchParams(query).toString()}`;
  const { status, body } = await answer(resource.endpoint, { url });
  const parsed = JSON.parse(body) as { message?: string; items?: { metadata: { namespace: string; name: string } }[] };
  if (status !== 200) return `${status} ${parsed.message}`;
  return (parsed.items ?? []).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).join(' ');
}

describeWatchCacheModes('selections', (mode) => {
  it('select by labels, names and namespaces', async () => {
    await using resource = await filled(mode);
    const cases: readonly (readonly [string, Record<string, string>, string])[] = [
      ['configmaps', {}, 'x/a x/b y/a y/ba'],
      ['configmaps', { labelSelector: 'app=two' }, 'x/b y/a'],
      ['configmaps', { labelSelector: '!app' }, 'y/ba'],
      ['configmaps', { fieldSelector: 'metadata.name=a' }, 'x/a y/a'],
      ['configmaps', { fieldSelector: 'metadata.name!=a' }, 'x/b y/ba'],
      ['configmaps', { fieldSelector: 'metadata.name=a,metadata.namespace=y' }, 'y/a'],
      ['configmaps', { fieldSelector: 'metadata.namespace=x' }, 'x/a x/b'],
      ['configmaps', { fieldSelector: 'metadata.namespace!=x' }, 'y/a y/ba'],
      ['configmaps', { fieldSelector: 'metadata.name=a', labelSelector: 'app=two' }, 'y/a'],
      ['configmaps', { fieldSelector: 'metadata.name=x/a' }, ''],
      ['configmaps', { fieldSelector: 'metadata.name=a,metadata.name=b' }, ''],
      ['configmaps', { fieldSelector: 'metadata.name=' }, ''],
      ['namespaces/x/configmaps', { fieldSelector: 'metadata.name=b' }, 'x/b'],
      ['namespaces/x/configmaps', { fieldSelector: 'metadata.namespace=y' }, ''],
      ['namespaces/x/configmaps', { fieldSelector: 'metadata.name=b', labelSelector: 'app=one' }, ''],
    ];
    for (const [path, query, expected] of cases) {
      assert.equal(await listed(resource, path, query), expected, JSON.stringify([path, query]));
    }
  });

  it('are refused when they are invalid', async () => {
    await using resource = await filled(mode);
    assert.match(await listed(resource, 'configmaps', { labelSelector: 'a in' }), /^400 /);
    assert.match(
      await listed(resource, 'configmaps', { fieldSelector: 'data.x=1' }),
      /^400 "data.x" is not a known field selector/,
    );
    const watchOne = await listed(resource, 'watch/namespaces/x/configmaps/a', { fieldSelector: 'metadata.name=b' });
    assert.equal(watchOne, "400 fieldSelector metadata.name doesn't match requested name");
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { answer, configMap, type TestResource, testResource } from '../testing/index.js';

const PREFIX = '/registry/configmaps/';
const FIELD = 'metadata.namespace';
const COUNT = 60;
const keyOf = (index: number): string => `${PREFIX}default/object-${String(index).padStart(3, '0')}`;

const put = (resource: TestResource, index: number, version = 0) =>
  resource.storage.update(keyOf(index), undefined, () => ({
    type: 'write',
    object: configMap(keyOf(index).slice(-10), { data: { version: `${version}` } }),
  }));

/** A cache of many objects, each of which takes a millisecond to decode. */
async function slowResource(context: TestContext): Promise<TestResource> {
  const resource = testResource();
  for (let index = 0; index < COUNT; index++) await put(resource, index);
  await resource.cacher.ready();
  const { codec } = resource.storage;
  const fields = codec.fields.bind(codec);
  const field = codec.field.bind(codec);
  context.mock.method(codec, 'fields', slowly(fields));
  context.mock.method(codec, 'field', slowly(field));
  return resource;
}

function slowly<A extends unknown[], T>(read: (...args: A) => T): (...args: A) => T {
  return (...args) => {
    const begun = performance.now();
    while (performance.now() - begun < 1);
    return read(...args);
  };
}

describe('selections of many objects', () => {
  it('builds an index in slices while objects change', async (context) => {
    await using resource = await slowResource(context);
    const { cacher } = resource;
    const made = cacher.indexing(FIELD);
    assert.ok(made !== undefined);
    const changes = [
      put(resource, 1, 1),
      put(resource, COUNT - 1, 1),
      put(resource, COUNT),
      resource.storage.update(keyOf(2), undefined, () => ({ type: 'delete' })),
      resource.storage.update(keyOf(COUNT - 2), undefined, () => ({ type: 'delete' })),
    ];
    await Promise.all(changes);
    const selected = { field: FIELD, value: '' };
    assert.deepEqual(Array.from(cacher.indexed(selected, PREFIX)), Array.from(cacher.range(PREFIX)));
    await made;
    assert.equal(cacher.indexing(FIELD), undefined, 'it is there');
    assert.deepEqual(Array.from(cacher.indexed(selected, PREFIX)), Array.from(cacher.range(PREFIX)));
    assert.equal(cacher.size, COUNT - 1);
  });

  it('yields to other work while a list examines every object, and returns one state', async (context) => {
    await using resource = await slowResource(context);
    let turns = 0;
    let done = false;
    const count = (): void => {
      turns++;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    const listing = answer(resource.endpoint, {
      url: '/api/v1/configmaps?fieldSelector=metadata.namespace%21%3Dother',
    });
    await put(resource, COUNT - 1, 1);
    const { items, metadata } = JSON.parse((await listing).body) as {
      items: { metadata: { resourceVersion: string } }[];
      metadata: { resourceVersion: string };
    };
    done = true;
    assert.equal(items.length, COUNT);
    assert.ok(turns > 2, `${turns} turns`);
    const revisions = items.map((item) => Number(item.metadata.resourceVersion));
    assert.ok(Math.max(...revisions) <= Number(metadata.resourceVersion), 'nothing is newer than the list');
  });
});

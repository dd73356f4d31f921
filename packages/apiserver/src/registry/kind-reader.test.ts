import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConfigMap } from '@binnacle/api/types/core-v1';
import { ANY } from '../request/index.js';
import { configMap, type TestResource, testResource, withDamagedValue } from '../testing/index.js';
import { KindReader } from './kind-reader.js';
import { type ResourceOf, Stores } from './stores.js';

const KEY = '/registry/configmaps/default/';
const create = async ({ storage }: TestResource, ...names: string[]): Promise<void> => {
  for (const name of names) await storage.create(KEY + name, configMap(name, { data: { name } }), undefined);
};
const readerOf = ({ reader }: TestResource) => new KindReader<ConfigMap>(() => reader);
const namesOf = (objects: Iterable<ConfigMap>) => Array.from(objects, ({ data }) => data?.['name']).join(' ');

describe('KindReader', () => {
  it('reads the newest state, and the cache without waiting', async () => {
    await using resource = testResource();
    const reader = readerOf(resource);
    await create(resource, 'a');
    assert.equal(reader.findCached('default', 'a'), undefined, 'the cache has not been built');
    await reader.ready();
    await create(resource, 'b');
    assert.equal((await reader.find('default', 'b'))?.data?.['name'], 'b');
    assert.equal((await reader.find('default', 'b', ANY))?.data?.['name'], 'b');
    assert.equal(await reader.find('default', 'c'), undefined);
    assert.equal(reader.findCached('default', 'b')?.data?.['name'], 'b');
    assert.deepEqual([reader.hasCached('default', 'b'), reader.hasCached('default', 'c')], [true, false]);
    assert.equal(namesOf(await reader.list('')), 'a b');
    assert.equal(namesOf(await reader.list('other')), '');
    assert.equal(namesOf(await reader.list('default', ({ key }) => key.endsWith('b'))), 'b');
    assert.equal(namesOf(reader.eachCached('default')), 'a b');
    assert.equal(namesOf(await reader.allCached('')), 'a b');
    assert.equal(namesOf(await reader.selectedCached({ field: 'metadata.name', value: '' }, 'other')), '');
  });

  it('decodes a cached object once, except for copies', async () => {
    await using resource = testResource();
    const reader = readerOf(resource);
    await create(resource, 'a');
    await reader.ready();
    const [first] = reader.eachCached('');
    assert.ok(first !== undefined);
    assert.equal(reader.findCached('default', 'a'), first);
    assert.equal((await reader.allCached(''))[0], first);
    const [copy] = reader.copiesCached('');
    assert.deepEqual(copy, first);
    assert.notEqual(copy, first);
  });

  it('answers with the same recent objects while none has changed', async () => {
    await using resource = testResource();
    const reader = readerOf(resource);
    await create(resource, 'a');
    const first = await reader.allRecent();
    assert.equal(namesOf(first), 'a');
    await resource.storage.create('/registry/secrets/default/other', configMap('other'), undefined);
    assert.equal(await reader.allRecent(), first);
    await create(resource, 'b');
    assert.equal(namesOf(await reader.allRecent()), 'a b');
    await resource.storage.update(`${KEY}a`, undefined, () => ({ type: 'delete' }));
    assert.equal(namesOf(await reader.allRecent()), 'b');
    assert.equal(namesOf(first), 'a');
  });

  it('decodes many large objects in turns', async () => {
    await using resource = testResource();
    const reader = readerOf(resource);
    const data = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, 'v']));
    for (let index = 0; index < 60; index++) {
      await resource.storage.create(`${KEY}${index}`, configMap(`${index}`, { data }), undefined);
    }
    await reader.ready();
    let othersRan = false;
    setImmediate(() => (othersRan = true));
    const objects = await reader.allRecent();
    assert.equal(objects.length, 60);
    assert.ok(othersRan);
  });

  it('refuses to leave out an object that cannot be read', async () => {
    await using resource = testResource({ wrapKV: (kv) => withDamagedValue(kv, `${KEY}bad`) });
    const reader = readerOf(resource);
    await create(resource, 'a', 'bad');
    await reader.ready();
    assert.equal(reader.isDamaged, true);
    await assert.rejects(async () => reader.allCached('default'), /is damaged/);
    await assert.rejects(async () => reader.allRecent(), /is damaged/);
    assert.equal(namesOf(await reader.allCached('other')), '');
    assert.equal(namesOf(reader.eachCached('')), 'a');
  });

  it('has no objects of a kind that is not served', async () => {
    const reader = new KindReader<ConfigMap>(() => undefined);
    await reader.ready();
    await reader.upToDate();
    assert.deepEqual(
      [reader.isDamaged, reader.hasCached('', 'a'), await reader.find('', 'a')],
      [false, false, undefined],
    );
    assert.deepEqual([await reader.list(''), await reader.allCached(''), [...reader.copiesCached('')]], [[], [], []]);
    assert.deepEqual(await reader.selectedCached({ field: 'metadata.name', value: 'a' }, ''), []);
  });
});

describe('Stores', () => {
  it('shares the reader of a kind, and looks its store up on first use', async () => {
    await using resource = testResource();
    let isServed = false;
    const stores = new Stores(({ resource: name }) => (isServed && name === 'configmaps' ? resource.store : undefined));
    const kind: ResourceOf<ConfigMap> = { group: '', resource: 'configmaps' };
    const reader = stores.reader(kind);
    assert.equal(stores.reader({ ...kind }), reader);
    assert.notEqual(stores.reader({ ...kind, group: 'example.com' }), reader);
    await create(resource, 'a');
    assert.equal(namesOf(await reader.list('')), '');
    isServed = true;
    assert.equal(namesOf(await reader.list('')), 'a');
    assert.equal(stores.find(kind), resource.store);
    assert.equal(stores.find({ group: '', resource: 'pods' }), undefined);
  });
});

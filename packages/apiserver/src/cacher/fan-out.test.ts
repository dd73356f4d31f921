import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoredObject } from '../storage/index.js';
import { configMap, type TestResource, testResource, watchedEvents } from '../testing/index.js';
import type { ObjectFilter } from './event.js';

const PREFIX = '/registry/configmaps/';

const keyOf = (namespace: string, name: string): string => `${PREFIX}${namespace}/${name}`;

async function put(resource: TestResource, key: string, data: Record<string, string> = {}): Promise<number> {
  const [namespace = '', name = ''] = key.slice(PREFIX.length).split('/');
  const result = await resource.storage.update(key, undefined, (current) => {
    const object = configMap(name, { data: { ...data, was: String(current?.revision ?? 0) } });
    object.metadata.namespace = namespace;
    object.metadata.uid = name;
    return { type: 'write', object };
  });
  return result.stored?.revision ?? 0;
}

/** Counts how often the filter runs. */
function counting(matches: (object: StoredObject) => boolean): { filter: ObjectFilter; asked: () => number } {
  let count = 0;
  const filter = (object: StoredObject): boolean => {
    count++;
    return matches(object);
  };
  return { filter, asked: () => count };
}

describe('fan-out of changes', () => {
  it('asks no watcher whose namespace, name or field value excludes the change', async () => {
    await using resource = testResource();
    await resource.cacher.ready();
    const watchOf = (prefix: string, matches: (object: StoredObject) => boolean, namespace?: string) => {
      const { filter, asked } = counting(matches);
      if (namespace !== undefined)
        Object.assign(filter, { selected: { field: 'metadata.namespace', value: namespace } });
      return { ...resource.cacher.watch({ prefix, filter, fromRevision: resource.cacher.revision }), asked };
    };
    const everything = watchOf(PREFIX, () => true);
    const namespace = watchOf(`${PREFIX}a/`, () => true);
    const neighbour = watchOf(`${PREFIX}ab/`, () => true);
    const named = watchOf(keyOf('a', 'x'), ({ key }) => key.endsWith('/x'));
    const field = watchOf(PREFIX, ({ fields }) => fields['metadata.namespace'] === 'a', 'a');
    const otherField = watchOf(PREFIX, ({ fields }) => fields['metadata.namespace'] === 'b', 'b');
    const x = await put(resource, keyOf('a', 'x'));
    const xx = await put(resource, keyOf('a', 'xx'));
    const both = [`ADDED x ${x}`, `ADDED xx ${xx}`];
    for (const watch of [everything, namespace, field]) assert.deepEqual(watchedEvents(watch.watcher), both);
    assert.deepEqual(watchedEvents(named.watcher), both.slice(0, 1));
    assert.deepEqual([neighbour.asked(), otherField.asked(), named.asked()], [0, 0, 1]);
    assert.equal(resource.cacher.watching, 6);
    for (const watch of [everything, namespace, neighbour, named, field, otherField]) watch.stop();
    assert.equal(resource.cacher.watching, 0);
  });

  it('keeps the index of a field current as objects change', async () => {
    await using resource = testResource();
    await put(resource, keyOf('a', 'x'));
    await resource.cacher.ready();
    const found = (value: string, prefix = PREFIX) =>
      Array.from(resource.cacher.indexed({ field: 'metadata.namespace', value }, prefix), ({ key }) => key);
    assert.deepEqual(found('a'), [keyOf('a', 'x')]);
    await put(resource, keyOf('b', 'y'));
    await put(resource, keyOf('a', 'w'));
    await put(resource, keyOf('a', 'x'));
    assert.deepEqual(found('a'), [keyOf('a', 'w'), keyOf('a', 'x')]);
    assert.deepEqual(found('a', `${PREFIX}b/`), []);
    await resource.storage.update(keyOf('b', 'y'), undefined, () => ({ type: 'delete' }));
    assert.deepEqual(found('b'), []);
    const filter = Object.assign(() => true, { selected: { field: 'metadata.namespace', value: 'a' } });
    const { items } = await resource.reader.list({ namespace: '', filter });
    assert.equal(items.length, 2);
    const watch = resource.cacher.watch({ prefix: PREFIX, filter, fromRevision: undefined });
    assert.equal(watch.initialCount, 2);
  });

  it('ends one stalled watcher among 500, counts it, and does not affect the others', async () => {
    await using resource = testResource({ cacher: { watcherCapacity: 50 } });
    await resource.cacher.ready();
    const open = () =>
      resource.cacher.watch({ prefix: PREFIX, filter: undefined, fromRevision: resource.cacher.revision });
    const stalled = open();
    const others = Array.from({ length: 499 }, open);
    const expected: string[] = [];
    const seen = others.map((): string[] => []);
    for (let index = 0; index < 120; index++) {
      const revision = await put(resource, keyOf('a', `o${index}`));
      assert.ok(revision > 0, 'the writer is not held up');
      expected.push(`ADDED o${index} ${revision}`);
      for (const [number, { watcher }] of others.entries()) seen[number]?.push(...watchedEvents(watcher));
    }
    assert.deepEqual(stalled.watcher.ended, { type: 'fell-behind' });
    assert.deepEqual(watchedEvents(stalled.watcher), expected.slice(0, 50), 'what it had is still its own');
    assert.equal(resource.cacher.statistics.fellBehind, 1);
    assert.equal(resource.cacher.watching, 499);
    for (const events of seen) assert.deepEqual(events, expected);
  });
});

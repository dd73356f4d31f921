import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, testResource } from '../testing/index.js';
import { FieldIndexes } from './field-indexes.js';
import { readState } from './read-state.js';

const selected = { field: 'metadata.name', value: 'a' };

describe('FieldIndexes', () => {
  it('finds objects once the index is complete, and builds it once', async () => {
    await using resource = testResource();
    await resource.storage.create('/registry/configmaps/default/a', configMap('a'), undefined);
    const objects = (await readState(resource.storage, new AbortController().signal))?.objects;
    assert.ok(objects !== undefined);
    const indexes = new FieldIndexes();
    assert.equal(indexes.find(selected, ''), undefined);
    const building = indexes.build(selected.field, objects);
    assert.equal(indexes.build(selected.field, objects), building);
    assert.equal(indexes.find(selected, ''), undefined, 'not complete');
    await building;
    assert.equal(indexes.build(selected.field, objects), undefined);
    const found = (): string[] => Array.from(indexes.find(selected, '') ?? [], ({ key }) => key);
    assert.deepEqual(found(), ['/registry/configmaps/default/a']);
    indexes.replace(objects.get('/registry/configmaps/default/a'), undefined);
    assert.deepEqual(found(), []);
    indexes.clear();
    assert.equal(indexes.find(selected, ''), undefined);
  });
});

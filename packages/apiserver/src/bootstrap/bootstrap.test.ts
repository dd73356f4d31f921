import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, testResource, testScope } from '../testing/index.js';
import { ensureObjects } from './bootstrap.js';

const objects = () =>
  ['a', 'b'].map((name) => {
    const object = configMap(name, { data: { from: 'the server' } });
    object.metadata.namespace = 'default';
    return object;
  });

describe('ensureObjects', () => {
  it('creates missing objects as the server, and nothing the second time', async () => {
    await using resource = testResource();
    await ensureObjects(objects(), () => resource.endpoint);
    const { metadata } = (await resource.reader.get('default', 'a')).decode();
    assert.deepEqual(
      metadata.managedFields?.map(({ manager, operation }) => [manager, operation]),
      [['kube-apiserver', 'Update']],
    );
    const revision = await resource.storage.currentRevision();
    await ensureObjects(objects(), () => resource.endpoint);
    assert.equal(await resource.storage.currentRevision(), revision);
  });

  it('leaves objects that users have changed alone', async () => {
    await using resource = testResource();
    await resource.store.create(testScope(), configMap('a', { data: { from: 'a person' } }));
    await ensureObjects(objects(), () => resource.endpoint);
    assert.deepEqual((await resource.reader.get('default', 'a')).decode().data, { from: 'a person' });
  });

  it('tolerates a race with another server, and skips kinds that are not served', async () => {
    await using resource = testResource();
    await Promise.all([1, 2, 3].map(() => ensureObjects(objects(), () => resource.endpoint)));
    assert.equal(await resource.storage.currentRevision(), 3);
    await ensureObjects(objects(), () => undefined);
  });
});

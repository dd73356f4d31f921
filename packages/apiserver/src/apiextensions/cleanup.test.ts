import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resources } from '@binnacle/api/table';
import { internalError, notFound } from '@binnacle/apimachinery/status';
import { configMap, testResource, testScope } from '../testing/index.js';
import { deleteInstances, overlapsBuiltIn } from './cleanup.js';

describe('overlapsBuiltIn', () => {
  it('is true for the built-in resources whose keys a definition can have, as upstream lists them', () => {
    // A definition can have only a group with a dot.
    const groups = resources().filter(({ group }) => group.includes('.'));
    assert.deepEqual(
      groups
        .filter(overlapsBuiltIn)
        .map(({ group, resource }) => `${resource}.${group}`)
        .sort(),
      ['apiservices.apiregistration.k8s.io', 'customresourcedefinitions.apiextensions.k8s.io'],
    );
    assert.equal(overlapsBuiltIn({ group: 'example.com', resource: 'things' }), false);
  });
});

describe('deleteInstances', () => {
  it('deletes all objects, and counts those that finalizers hold', async () => {
    await using resource = testResource();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const object = configMap(name);
      if (name > 'c') object.metadata.finalizers = ['example.com/hold'];
      await resource.store.create(testScope(), object);
    }
    assert.equal(await deleteInstances(resource.endpoint), 2);
    const left = (await resource.reader.list({ namespace: '' })).items.map((each) => each.decode().metadata);
    assert.deepEqual(
      left.map(({ name, deletionTimestamp }) => [name, deletionTimestamp !== undefined]),
      [
        ['d', true],
        ['e', true],
      ],
    );
    assert.equal(await deleteInstances(resource.endpoint), 2);
  });

  it('goes through all pages', async () => {
    await using resource = testResource();
    const names = Array.from({ length: 501 }, (_, index) => `c${String(index)}`);
    await Promise.all(names.map((name) => resource.store.create(testScope(), configMap(name))));
    assert.equal(await deleteInstances(resource.endpoint), 0);
    assert.equal((await resource.reader.list({ namespace: '' })).items.length, 0);
  });

  it('counts an object that is gone meanwhile as deleted, and rejects with any other failure', async () => {
    await using resource = testResource();
    await resource.store.create(testScope(), configMap('a'));
    const { endpoint, store } = resource;
    const failing = (code: 404 | 500) =>
      deleteInstances({
        ...endpoint,
        store: Object.assign(Object.create(store) as typeof store, {
          delete: () =>
            Promise.reject(code === 404 ? notFound({ group: '', resource: 'x' }, 'a') : internalError('broken')),
        }),
      });
    assert.equal(await failing(404), 0);
    await assert.rejects(failing(500), { code: 500 });
  });
});

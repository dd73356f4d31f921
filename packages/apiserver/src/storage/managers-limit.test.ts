import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { KVError } from '@binnacle/kv';
import { statusErrorOf } from '../registry/index.js';
import { configMap, testResource, withMethods } from '../testing/index.js';
import { MAX_MANAGERS_BYTES } from './managers-limit.js';

const KEY = '/registry/configmaps/default/a';
const TOO_LARGE = 'etcdserver: request is too large';

/** An object whose managed fields have exactly this many bytes as JSON. */
function managed(bytes: number): KubernetesObject {
  const object = configMap('a');
  const entry = (name: string) => ({
    manager: 'm',
    operation: 'Update' as const,
    apiVersion: 'v1',
    fieldsV1: { [name]: {} },
  });
  const empty = JSON.stringify([entry('f:')]).length;
  object.metadata.managedFields = [entry(`f:${'x'.repeat(bytes - empty)}`)];
  return object;
}

function isTooLarge(error: unknown): true {
  const { status } = statusErrorOf(error);
  assert.deepEqual([status.code, status.reason, status.message], [500, undefined, TOO_LARGE]);
  return true;
}

describe('an object with too many managed fields', () => {
  it('is stored without them', async () => {
    for (const [bytes, kept] of [
      [MAX_MANAGERS_BYTES, true],
      [MAX_MANAGERS_BYTES + 1, false],
    ] as const) {
      await using resource = testResource();
      const created = await resource.storage.create(KEY, managed(bytes));
      assert.equal(created?.decode().metadata.managedFields !== undefined, kept);
      const object = managed(bytes);
      object.metadata.labels = { changed: 'yes' };
      const updated = await resource.storage.update(KEY, undefined, () => ({ type: 'write', object }));
      assert.equal(updated.stored?.decode().metadata.managedFields !== undefined, kept);
      const read = await resource.storage.get(KEY);
      assert.deepEqual(read?.decode(), updated.stored?.decode());
      assert.deepEqual(read?.labels, { changed: 'yes' });
    }
  });

  it('is refused if it must keep them, unless the write is for a deletion', async () => {
    await using resource = testResource();
    const write = (forDeletion: boolean) =>
      resource.storage.update(KEY, undefined, () => ({
        type: 'write',
        object: managed(MAX_MANAGERS_BYTES + 1),
        requiresManagers: true,
        forDeletion,
      }));
    await assert.rejects(write(false), isTooLarge);
    assert.equal(await resource.storage.get(KEY), undefined);
    assert.equal((await write(true)).stored?.decode().metadata.managedFields, undefined);
  });
});

describe('an object that is too large for its store', () => {
  const cases: readonly (readonly [string, object: KubernetesObject, fits: number, writes: number, stored: boolean])[] =
    [
      ['is stored at once if it fits', managed(2000), 5000, 1, true],
      ['is written again without managed fields', managed(2000), 1000, 2, true],
      ['is refused if it is too large without them', managed(2000), 10, 2, false],
      ['is refused if it has none', configMap('a'), 10, 1, false],
    ];
  for (const [name, object, fits, expected, isStored] of cases) {
    it(name, async () => {
      let writes = 0;
      await using resource = testResource({
        wrapKV: (kv) =>
          withMethods(kv, {
            txn: async (request) => {
              writes++;
              const { operation } = request;
              if (operation.type === 'put' && operation.value.length > fits) throw new KVError('too-large', TOO_LARGE);
              return kv.txn(request);
            },
          }),
      });
      const created = resource.storage.create(KEY, object);
      if (isStored) assert.equal((await created)?.key, KEY);
      else await assert.rejects(created, isTooLarge);
      assert.equal(writes, expected);
    });
  }
});

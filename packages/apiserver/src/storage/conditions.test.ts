import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, type TestResource, testResource } from '../testing/index.js';
import type { Conditions } from './conditions.js';
import type { StoredObject } from './stored-object.js';

const PREFIX = '/registry/configmaps/default/';
const CHILD = `${PREFIX}child`;

async function storedParent({ storage }: TestResource): Promise<StoredObject> {
  const parent = await storage.create(`${PREFIX}parent`, configMap('parent'));
  assert.ok(parent !== undefined);
  return parent;
}

/** Both ways to store a new object. Each returns whether it has stored one. */
const ways: readonly [string, (resource: TestResource, conditions: Conditions) => Promise<boolean>][] = [
  [
    'a create',
    async ({ storage }, conditions) =>
      (await storage.create(CHILD, configMap('child'), undefined, undefined, conditions)) !== undefined,
  ],
  [
    'an update that creates',
    async ({ storage }, conditions) => {
      const change = { type: 'write', object: configMap('child'), conditions } as const;
      return (await storage.update(CHILD, undefined, () => change)).changed;
    },
  ],
];

for (const [name, write] of ways) {
  describe(`${name} under conditions`, () => {
    it('is stored while they hold', async () => {
      await using resource = testResource();
      const parent = await storedParent(resource);
      assert.equal(await write(resource, () => [parent]), true);
    });

    it('asks for the newest versions until they hold', async () => {
      await using resource = testResource();
      const parent = await storedParent(resource);
      const asked: number[] = [];
      const conditions: Conditions = async (failedAttempts) => {
        asked.push(failedAttempts);
        if (asked.length > 2) return [parent];
        return [{ key: parent.key, revision: parent.revision + asked.length }];
      };
      assert.equal(await write(resource, conditions), true);
      assert.deepEqual(asked, [0, 1, 2]);
    });

    it('stores nothing when they refuse it', async () => {
      await using resource = testResource();
      const parent = await storedParent(resource);
      await resource.storage.update(parent.key, undefined, () => ({ type: 'delete' }));
      const conditions: Conditions = (failedAttempts) => {
        if (failedAttempts > 0) throw new Error('the parent is gone');
        return [parent];
      };
      await assert.rejects(write(resource, conditions), { message: 'the parent is gone' });
      assert.equal(await resource.storage.get(CHILD), undefined);
    });
  });
}

it('an update of a stored object needs no conditions, and a taken name is reported before them', async () => {
  await using resource = testResource();
  const { storage } = resource;
  await storage.create(CHILD, configMap('child'));
  const conditions: Conditions = () => [{ key: `${PREFIX}none`, revision: 7 }];
  const change = { type: 'write', object: configMap('child', { data: { a: 'b' } }), conditions } as const;
  assert.equal((await storage.update(CHILD, undefined, () => change)).changed, true);
  assert.equal(await storage.create(CHILD, configMap('child'), undefined, undefined, conditions), undefined);
});

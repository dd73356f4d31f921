import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { internalError, notFound } from '@binnacle/apimachinery/status';
import { configMap, type TestResource, testResource, testScope } from '../testing/index.js';
import { updateOwned } from './update-owned.js';
import { writeOwned } from './write-owned.js';

const target = { namespace: 'default', name: 'a', subresource: '' };

async function withObject(run: (resource: TestResource) => Promise<void>): Promise<void> {
  await using resource = testResource();
  await resource.store.create(testScope(), configMap('a', { data: { from: 'a person' } }));
  await run(resource);
}

const dataOf = async ({ reader }: TestResource) => (await reader.get('default', 'a')).decode().data;

describe('writes of the server itself', () => {
  it('change the object; the same object changes nothing', async () => {
    await withObject(async (resource) => {
      const revision = await resource.storage.currentRevision();
      await writeOwned(resource.endpoint, target, async (current) => current);
      assert.equal(await resource.storage.currentRevision(), revision);
      await writeOwned(resource.endpoint, target, async (current) => ({ ...current, data: { from: 'the server' } }));
      assert.deepEqual(await dataOf(resource), { from: 'the server' });
    });
  });

  it('pass over an object that is gone, and reject other errors', async () => {
    await withObject(async ({ endpoint }) => {
      await writeOwned(endpoint, { ...target, name: 'b' }, async () => assert.fail('there is nothing to revise'));
      await writeOwned(endpoint, target, async () => Promise.reject(notFound(endpoint.resource, 'a')));
      const failing = writeOwned(endpoint, target, async () => Promise.reject(internalError('the disk')));
      await assert.rejects(failing, { code: 500 });
      await assert.rejects(
        writeOwned(endpoint, { ...target, subresource: 'depth' }, async (current) => current),
        {
          message: /have no depth/,
        },
      );
    });
  });

  it('leave an object of the same name and another UID alone', async () => {
    await withObject(async (resource) => {
      const { uid } = (await resource.reader.get('default', 'a')).decode().metadata;
      const update = (of: string): Promise<void> =>
        updateOwned(resource.endpoint, { ...target, uid: of, parts: ['data'] }, (object) => {
          object['data'] = { from: of };
        });
      await update('another');
      assert.deepEqual(await dataOf(resource), { from: 'a person' });
      await update(uid ?? '');
      assert.deepEqual(await dataOf(resource), { from: uid });
    });
  });
});

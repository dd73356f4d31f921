import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openMemoryKV } from '@binnacle/kv/memory';
import { ensureObjects } from '../../bootstrap/index.js';
import { SERVICE_ACCOUNTS } from '../../registry/index.js';
import { testResourceApi } from '../server.testing.js';

it('tokenSubjects: takes a cached object with the uid, and asks the store for any other', async (context) => {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv);
  try {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', namespace: 'team' } };
    await ensureObjects([account], api.endpointOf);
    const reader = api.stores.find(SERVICE_ACCOUNTS)?.reader;
    assert.ok(reader !== undefined);
    await reader.cacher.ready();
    const { uid = '' } = (await reader.get('team', 'robot')).decode().metadata;
    const reads = context.mock.method(reader, 'find').mock;
    const find = (name: string, wanted: string) => api.sources.subjects.find('serviceaccounts', 'team', name, wanted);
    assert.equal((await find('robot', uid))?.metadata.uid, uid);
    assert.equal(reads.callCount(), 1);
    assert.equal((await find('robot', 'another'))?.metadata.uid, uid, 'the caller compares the uid');
    assert.equal(reads.callCount(), 3);
    assert.equal(await find('absent', uid), undefined);
    assert.equal(reads.callCount(), 5);
  } finally {
    api.stop();
  }
});

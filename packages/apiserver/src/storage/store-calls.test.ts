import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KVError } from '@binnacle/kv';
import { type StorageObserver, StoreCalls } from './store-calls.js';

describe('StoreCalls', () => {
  const recorded = (): { calls: StoreCalls; log: string[] } => {
    const log: string[] = [];
    const observer: StorageObserver = {
      begun: (operation) => {
        log.push(operation);
        return (failed) => log.push(failed ? 'failed' : 'answered');
      },
      damaged: (keys) => log.push(`damaged: ${keys.join()}`),
    };
    return { calls: new StoreCalls(observer), log };
  };

  it('reports the begin and the end of each operation', async () => {
    const { calls, log } = recorded();
    assert.equal(await calls.observed('get', Promise.resolve(1)), 1);
    await assert.rejects(calls.observed('list', Promise.reject(new Error('no'))), /^Error: no$/);
    assert.equal(await calls.translated(Promise.resolve(2)), 2);
    assert.deepEqual(log, ['get', 'answered', 'list', 'failed']);
  });

  it('translates failures of the store, and reports the objects that they name', async () => {
    const { calls, log } = recorded();
    await assert.rejects(calls.translated(Promise.reject(new KVError('compacted', 'gone'))), {
      name: 'StorageError',
      code: 'expired',
    });
    const damage = new KVError('corrupt', 'unreadable', { damaged: [{ key: 'a', revision: 1 }] });
    await assert.rejects(calls.translated(Promise.reject(damage)), { name: 'StorageError', code: 'damaged' });
    assert.deepEqual(log, ['damaged: a']);
  });
});

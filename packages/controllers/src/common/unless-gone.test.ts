import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conflict, notFound } from '@binnacle/apimachinery/status';
import { unlessGone } from './unless-gone.js';

describe('unlessGone', () => {
  const pods = { group: '', resource: 'pods' };

  it('resolves to the answer', async () => assert.equal(await unlessGone(Promise.resolve(1)), 1));

  it('resolves to undefined if the server has no such object', async () => {
    assert.equal(await unlessGone(Promise.reject(notFound(pods, 'a'))), undefined);
  });

  it('rejects with any other error', async () => {
    const error = conflict(pods, 'a', 'stale');
    await assert.rejects(unlessGone(Promise.reject(error)), error);
  });
});

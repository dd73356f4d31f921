import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import { fillSystemMetadata, keepGeneration, keepSystemMetadata } from './object-metadata.js';

describe('system metadata', () => {
  it('of a new object comes from the server', () => {
    const metadata: ObjectMeta = { name: 'a', uid: 'mine', resourceVersion: '5', selfLink: '/x', generation: 3 };
    metadata.deletionTimestamp = '2020-01-01T00:00:00Z';
    metadata.deletionGracePeriodSeconds = 5;
    fillSystemMetadata(metadata, Date.UTC(2026, 0, 2), 'new');
    assert.deepEqual(metadata, { name: 'a', uid: 'new', generation: 3, creationTimestamp: '2026-01-02T00:00:00Z' });
  });

  it('survives an update, but for a uid and a grace period that the client names', () => {
    const before: ObjectMeta = {
      uid: 'u',
      creationTimestamp: 'c',
      deletionTimestamp: 'd',
      deletionGracePeriodSeconds: 9,
    };
    const silent: ObjectMeta = { selfLink: '/x' };
    keepSystemMetadata(silent, before);
    assert.deepEqual(silent, before);
    const loud: ObjectMeta = {
      uid: 'other',
      creationTimestamp: 'x',
      deletionTimestamp: 'x',
      deletionGracePeriodSeconds: 1,
    };
    keepSystemMetadata(loud, before);
    assert.deepEqual(loud, { ...before, uid: 'other', deletionGracePeriodSeconds: 1 });
  });

  it('has the generation of before, or none', () => {
    for (const [generation, expected] of [
      [4, { generation: 4 }],
      [undefined, {}],
    ] as const) {
      const metadata: ObjectMeta = { generation: 99 };
      keepGeneration(metadata, generation === undefined ? {} : { generation });
      assert.deepEqual(metadata, expected);
    }
  });
});

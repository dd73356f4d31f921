import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { lastRevision, nextRevision } from './annotations.js';

const revised = (revision: string): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: `a-${revision}`, annotations: { 'deployment.kubernetes.io/revision': revision } },
});

describe('revisions are 64-bit integers', () => {
  for (const [revisions, last, next] of [
    [[], 0n, 1n],
    [['2', '10', '9'], 9n, 11n],
    [['3546343826724305832', '3546343826724305831'], 3546343826724305831n, 3546343826724305833n],
    [['+5', '-7'], -7n, 6n],
    [['9223372036854775807'], 0n, -9223372036854775808n],
    [['9223372036854775808', '1e3', ''], 0n, 1n],
  ] as const) {
    it(`after ${revisions.join(' and ')}: ${next}`, () => {
      const sets = revisions.map(revised);
      assert.deepEqual([lastRevision(sets), nextRevision(sets)], [last, next]);
    });
  }
});

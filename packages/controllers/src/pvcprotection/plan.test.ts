import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolumeClaim, Pod, Volume } from '@binnacle/client/kinds/core/v1';
import { usesClaim } from './plan.js';

const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };

const claim = (metadata: PersistentVolumeClaim['metadata'] = {}): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace: 'default', name: 'data', ...metadata },
});

const pod = (volumes: readonly Volume[], nodeName?: string, metadata: Pod['metadata'] = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name: 'db', uid: 'pod', ...metadata },
  spec: { containers: [], volumes, ...(nodeName === undefined ? {} : { nodeName }) },
});

describe('usesClaim', () => {
  const named = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  const ephemeral = [{ name: 'v', ephemeral: {} }];
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'db', uid: 'pod', controller: true };
  const own = claim({ name: 'db-v', ownerReferences: [owner] });
  for (const [what, given, of, expected] of [
    ['a pod on a node', pod(named, 'n1'), claim(), true],
    ['a pod without a node', pod(named), claim(), false],
    ['a pod with other volumes', pod([{ name: 'v', emptyDir: {} }], 'n1'), claim(), false],
    ['a pod with the claim of its ephemeral volume', pod(ephemeral, 'n1'), own, true],
    [
      'a pod whose ephemeral volume has the name of a foreign claim',
      pod(ephemeral, 'n1'),
      claim({ name: 'db-v' }),
      false,
    ],
    [
      'a pod with an ephemeral volume that was shut down',
      pod(ephemeral, 'n1', { ...DELETED, deletionGracePeriodSeconds: 0 }),
      own,
      false,
    ],
  ] as const) {
    it(`${what}: ${expected}`, () => assert.equal(usesClaim(given, of), expected));
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lease } from '@binnacle/client/kinds/coordination/v1';
import { assessNode, type NodeHealth } from './node-health.js';
import { node, noon } from './node.testing.js';
import { settingsOf } from './settings.js';

const settings = settingsOf({ nodeMonitorGracePeriodMs: 20_000, nodeStartupGracePeriodMs: 60_000 });
const LATER = '2027-01-01T12:00:10Z';

const lease = (renewTime: string): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'n' },
  spec: { renewTime },
});

const reporting = (status: string, heartbeat?: string) =>
  node({ conditions: { Ready: status }, ...(heartbeat === undefined ? {} : { heartbeat }) });

/** As it was seen this many seconds before. */
const seen = (seconds: number, given: Partial<NodeHealth> = {}): NodeHealth => ({
  uid: 'n-uid',
  seenAt: noon - seconds * 1000,
  ready: reporting('True').status?.conditions?.[0],
  renewedAt: undefined,
  ...given,
});

describe('the health of a node', () => {
  for (const [what, given, known, renewed, secondsAgo, becomes] of [
    ['is good when it is first seen', reporting('True'), undefined, undefined, 0, 'True'],
    ['stays good for the grace period', reporting('True'), seen(20), undefined, 20, 'True'],
    ['is unknown after the grace period', reporting('True'), seen(21), undefined, 21, 'Unknown'],
    ['is unknown also if it was not ready', reporting('False'), seen(21), undefined, 21, 'Unknown'],
    ['is good after a heartbeat in the status', reporting('True', LATER), seen(21), undefined, 0, 'True'],
    ['is good after the lease was renewed', reporting('True'), seen(21), LATER, 0, 'True'],
    [
      'is unknown if the lease is as old',
      reporting('True'),
      seen(21, { renewedAt: Date.parse(LATER) }),
      LATER,
      21,
      'Unknown',
    ],
    ['is open while a new node starts', node(), undefined, undefined, 0, undefined],
    ['is good when a new node first reports', reporting('True'), seen(90, { ready: undefined }), undefined, 0, 'True'],
  ] as const) {
    it(what, () => {
      const held = renewed === undefined ? undefined : lease(renewed);
      const assessed = assessNode({ node: given, lease: held, known, now: noon }, settings);
      assert.deepEqual([assessed.after?.status, (noon - assessed.health.seenAt) / 1000], [becomes, secondsAgo]);
    });
  }

  it('is good without heartbeats when the settings vouch for the node', () => {
    const given = { node: reporting('True'), lease: undefined, known: seen(21), now: noon };
    const { after, health } = assessNode({ ...given, hasHeartbeat: true }, settings);
    assert.deepEqual([after?.status, health.seenAt], ['True', noon]);
  });

  it('of a silent node is unknown in all conditions of the kubelet', () => {
    const given = node({ conditions: { Ready: 'True', DiskPressure: 'Unknown', NetworkUnavailable: 'False' } });
    const { status, before } = assessNode(
      { node: given, lease: undefined, known: seen(21), now: noon + 5000 },
      settings,
    );
    assert.equal(before.status, 'True');
    const [ready, disk, network, ...missing] = status?.conditions ?? [];
    assert.deepEqual(ready, {
      type: 'Ready',
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastHeartbeatTime: '2027-01-01T12:00:00Z',
      lastTransitionTime: '2027-01-01T12:00:05Z',
    });
    assert.deepEqual([disk, network], given.status?.conditions?.slice(1));
    assert.deepEqual(
      missing.map(({ type, reason }) => `${type} ${reason ?? ''}`),
      ['MemoryPressure NodeStatusNeverUpdated', 'PIDPressure NodeStatusNeverUpdated'],
    );
  });

  it('of a node that never reports is unknown after the grace period of a start, once', () => {
    const now = noon + 61_000;
    const first = assessNode({ node: node(), lease: undefined, known: undefined, now }, settings);
    assert.equal(first.status?.conditions?.length, 4);
    assert.deepEqual([first.before.status, first.before.reason], ['Unknown', undefined]);
    const written = { ...node(), status: first.status ?? {} };
    const next = assessNode({ node: written, lease: undefined, known: first.health, now: now + 5000 }, settings);
    assert.deepEqual([next.status, next.after?.status], [undefined, 'Unknown']);
  });
});

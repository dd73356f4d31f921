import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupsOf, leavingNode, nodesLeft, TERMINATED, UNSCHEDULED } from './pod-groups.js';

describe('the groups of a pod', () => {
  const spec = { containers: [] };
  const onNode = { ...spec, nodeName: 'n' };
  const deleted = { deletionTimestamp: '2026-01-01T11:00:00Z' };
  for (const [what, pod, expected] of [
    ['waiting for a node', { metadata: {}, spec }, []],
    ['deleted without a node', { metadata: deleted, spec }, [UNSCHEDULED]],
    ['on a node', { metadata: {}, spec: onNode }, []],
    ['leaving a node', { metadata: deleted, spec: onNode }, [leavingNode('n')]],
    ['ended on a node', { metadata: {}, spec: onNode, status: { phase: 'Failed' } }, [TERMINATED]],
    [
      'ended, deleted, without a node',
      { metadata: deleted, spec, status: { phase: 'Succeeded' } },
      [TERMINATED, UNSCHEDULED],
    ],
  ] as const) {
    it(what, () => assert.deepEqual(groupsOf({ apiVersion: 'v1', kind: 'Pod', ...pod }), expected));
  }

  it('name the nodes that pods leave, even those named like another group', () => {
    assert.deepEqual(nodesLeft([TERMINATED, UNSCHEDULED, leavingNode(TERMINATED)]), [TERMINATED]);
  });
});

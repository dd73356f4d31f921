import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeOf, rowOf } from './index.js';

describe('a row', () => {
  const pod = {
    metadata: {
      name: 'web-0',
      namespace: 'shop',
      uid: 'u',
      resourceVersion: '7',
      generation: 2,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ownerReferences: [{ uid: 'other' }, { uid: 'set', controller: true }],
      managedFields: [
        { manager: 'kubelet', time: '2026-01-01T00:00:02Z' },
        { manager: 'scheduler', time: '2026-01-01T00:00:01Z' },
      ],
    },
    spec: { nodeName: 'node-1' },
  };

  it('has what the views need', () => {
    assert.deepEqual(rowOf('Pod', 3, pod), {
      kind: 3,
      uid: 'u',
      name: 'web-0',
      namespace: 'shop',
      version: '7',
      generation: 2,
      health: 'busy',
      text: 'Pending',
      owner: 'set',
      place: 'node-1',
      by: 'kubelet',
      created: Date.parse('2026-01-01T00:00:00Z'),
      deleting: false,
    });
  });

  it('says what an event is about', () => {
    assert.equal(rowOf('Event', 0, { involvedObject: { kind: 'Pod', name: 'a' } }).place, 'Pod/a');
    assert.equal(rowOf('Event', 0, { regarding: { kind: 'Node', name: 'n' } }).place, 'Node/n');
  });

  it('changes by state, spec, place and deletion', () => {
    const before = rowOf('Pod', 0, { ...pod, spec: {} });
    const after = rowOf('Pod', 0, {
      status: { phase: 'Running', containerStatuses: [{ ready: true }] },
      spec: pod.spec,
      metadata: { ...pod.metadata, generation: 3 },
    });
    assert.equal(changeOf(before, after, 5)?.text, 'spec changed (generation 3), on node-1, Pending → Running');
    const deleting = rowOf('Pod', 0, { ...pod, metadata: { ...pod.metadata, deletionTimestamp: 'now' } });
    assert.equal(
      changeOf(after, deleting, 5)?.text,
      'deletion began, spec changed (generation 2), Running → Terminating',
    );
    assert.equal(changeOf(undefined, after, 5)?.type, 'added');
    assert.equal(changeOf(after, undefined, 5)?.type, 'gone');
    assert.equal(changeOf(after, after, 5)?.text, '');
    assert.equal(changeOf(undefined, undefined, 5), undefined);
  });
});

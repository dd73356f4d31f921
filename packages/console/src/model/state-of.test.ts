import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { stateOf } from './state-of.js';

const running = (containers: readonly JsonObject[], phase = 'Running'): JsonObject => ({
  status: { phase, containerStatuses: [...containers] },
});
const waiting = (reason: string): JsonObject => ({ ready: false, state: { waiting: { reason } } });
const condition = (type: string, status: string, reason = ''): JsonObject => ({
  status: { conditions: [{ type, status, reason }] },
});

describe('the state of an object', () => {
  const table: readonly [string, JsonObject, string, string][] = [
    ['Pod', {}, 'busy', 'Pending'],
    ['Pod', running([{ ready: true }]), 'good', 'Running'],
    ['Pod', running([{ ready: true }, { ready: false }]), 'busy', 'Running, 1/2 ready'],
    ['Pod', running([waiting('CrashLoopBackOff')]), 'bad', 'CrashLoopBackOff'],
    ['Pod', running([waiting('ImagePullBackOff')], 'Pending'), 'bad', 'ImagePullBackOff'],
    ['Pod', running([waiting('ContainerCreating')], 'Pending'), 'busy', 'Pending'],
    ['Pod', running([{ state: { terminated: { exitCode: 1, reason: 'Error' } } }]), 'bad', 'Error'],
    ['Pod', running([{ state: { terminated: { exitCode: 0 } } }], 'Succeeded'), 'done', 'Completed'],
    ['Pod', { status: { phase: 'Failed', reason: 'Evicted' } }, 'bad', 'Evicted'],
    ['Pod', condition('PodScheduled', 'False', 'Unschedulable'), 'bad', 'Unschedulable'],
    ['Pod', { metadata: { deletionTimestamp: 'now' } }, 'busy', 'Terminating'],
    ['Deployment', { spec: { replicas: 3 }, status: { readyReplicas: 2 } }, 'busy', '2/3 ready'],
    ['Deployment', { spec: { replicas: 3 }, status: { readyReplicas: 3 } }, 'good', '3/3 ready'],
    [
      'Deployment',
      condition('Progressing', 'False', 'ProgressDeadlineExceeded'),
      'bad',
      '0/1 ready, ProgressDeadlineExceeded',
    ],
    ['ReplicaSet', { spec: { replicas: 0 } }, 'done', 'scaled to 0'],
    ['ReplicaSet', { spec: { replicas: 0 }, status: { readyReplicas: 1 } }, 'busy', '1 left'],
    ['DaemonSet', { status: { numberReady: 2, desiredNumberScheduled: 2 } }, 'good', '2/2 ready'],
    ['Job', { spec: { completions: 3 }, status: { succeeded: 1 } }, 'busy', '1/3 complete'],
    ['Job', condition('Complete', 'True'), 'done', 'Complete'],
    ['Job', condition('Failed', 'True', 'BackoffLimitExceeded'), 'bad', 'BackoffLimitExceeded'],
    ['CronJob', { spec: { schedule: '@hourly' } }, 'none', '@hourly'],
    ['Node', condition('Ready', 'True'), 'good', 'Ready'],
    ['Node', { ...condition('Ready', 'True'), spec: { unschedulable: true } }, 'busy', 'Ready, cordoned'],
    ['Node', condition('Ready', 'Unknown', 'NodeStatusUnknown'), 'bad', 'NodeStatusUnknown'],
    ['Node', {}, 'bad', 'NotReady'],
    ['Namespace', { status: { phase: 'Active' } }, 'good', 'Active'],
    ['PersistentVolumeClaim', { status: { phase: 'Lost' } }, 'bad', 'Lost'],
    ['PersistentVolumeClaim', { status: { phase: 'Pending' } }, 'busy', 'Pending'],
    ['Service', { spec: { type: 'ClusterIP', clusterIP: '10.0.0.1' } }, 'none', 'ClusterIP 10.0.0.1'],
    ['Secret', { data: { a: '' } }, 'none', '1 key'],
    ['ConfigMap', { data: { a: '', b: '' }, binaryData: { c: '' } }, 'none', '3 keys'],
    ['Event', { type: 'Warning', reason: 'Failed', message: 'why' }, 'bad', 'Failed: why'],
    ['Lease', { spec: { holderIdentity: 'me' } }, 'none', 'me'],
    ['Widget', condition('Ready', 'True'), 'good', 'Ready'],
    ['Widget', condition('Ready', 'False', 'Broken'), 'bad', 'Broken'],
    ['Widget', condition('Synced', 'Unknown'), 'busy', 'not Synced'],
    ['Widget', { status: { phase: 'Cooking' } }, 'none', 'Cooking'],
    ['Widget', { status: 'text', spec: 3 }, 'none', ''],
  ];
  for (const [kind, object, health, text] of table) {
    it(`${kind}: ${health}, ${text}`, () => assert.deepEqual(stateOf(kind, object), { health, text }));
  }

  it('is that of any custom resource for a kind with the name of a method of all objects', () => {
    for (const kind of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
      assert.deepEqual(stateOf(kind, { health: 'x', ...condition('Ready', 'True') }), {
        health: 'good',
        text: 'Ready',
      });
    }
  });

  it('has a short text, whatever the object holds', () => {
    const long = 'x'.repeat(1_000_000);
    for (const [kind, object] of [
      ['Widget', { status: { phase: long } }],
      ['Widget', condition('Ready', 'False', long)],
      ['Lease', { spec: { holderIdentity: long } }],
      ['Event', { reason: 'A', message: long }],
    ] as const) {
      assert.equal(stateOf(kind, object).text.length, 200);
    }
  });
});

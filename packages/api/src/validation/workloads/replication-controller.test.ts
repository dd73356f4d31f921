import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReplicationController } from '../../generated/types/core-v1.js';
import { validateReplicationController } from './replication-controller.js';

function problems(selector: Record<string, string>): string[] {
  const controller: ReplicationController = {
    spec: {
      replicas: 1,
      selector,
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' }],
          dnsPolicy: 'ClusterFirst',
          restartPolicy: 'Always',
          terminationGracePeriodSeconds: 30,
        },
      },
    },
  };
  return validateReplicationController(controller).map(({ field }) => field);
}

test('the selector of a replication controller selects its template, even by keys that no label can have', () => {
  assert.deepEqual(problems({ a: 'b' }), []);
  assert.deepEqual(problems({ a: 'c' }), ['spec.template.metadata.labels']);
  assert.deepEqual(problems({ a: 'b', 'A B': 'x' }), ['spec.template.metadata.labels']);
  assert.deepEqual(problems({ a: 'b', toString: 'x' }), ['spec.template.metadata.labels']);
});

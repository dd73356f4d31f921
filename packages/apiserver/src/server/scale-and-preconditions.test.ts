import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { openMemoryKV } from '@binnacle/kv/memory';
import { type Send, withServer } from './server.testing.js';

/** Writes whose preconditions fail, and the order in which they are refused. */
const SCALE = '/apis/apps/v1/namespaces/n/deployments/d/scale';
const OPTIONS = { apiVersion: 'v1', kind: 'DeleteOptions' };

const labels = { a: 'b' };
const objects: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace: 'n' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  },
];

async function refusal(send: Send, method: string, url: string, body: object): Promise<[number, string]> {
  const { status, message } = await send(method, url, body);
  return [status, message.replace(/[0-9a-f]{8}-[-0-9a-f]{27}/g, 'UID')];
}

test('a patch of a scale checks the uid of the object, and validates the scale first', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    const conflict = 'Operation cannot be fulfilled on deployments/scale.apps "d": Precondition failed: UID';
    assert.deepEqual(await refusal(send, 'PATCH', SCALE, { metadata: { uid: 'x' } }), [
      409,
      `${conflict} in precondition: x, UID in object meta: UID`,
    ]);
    const negative = 'Invalid value: -1: must be greater than or equal to 0';
    assert.deepEqual(await refusal(send, 'PATCH', SCALE, { metadata: { uid: 'x' }, spec: { replicas: -1 } }), [
      422,
      `Scale.autoscaling "d" is invalid: spec.replicas: ${negative}`,
    ]);
    assert.deepEqual(await refusal(send, 'PATCH', SCALE, { metadata: { generation: -1 }, spec: { replicas: -1 } }), [
      422,
      `Scale.autoscaling "d" is invalid: [metadata.generation: ${negative}, spec.replicas: ${negative}]`,
    ]);
    const finalizer = { metadata: { finalizers: ['bad'] } };
    assert.match(
      (await send('PATCH', SCALE, finalizer)).message,
      /^Scale\.autoscaling "d" is invalid: metadata\.finalizers\[0\]/,
    );
    assert.equal((await send('PATCH', SCALE, { metadata: { uid: '' }, spec: { replicas: 2 } })).status, 200);
    const sent = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 3 } };
    assert.equal((await send('PUT', SCALE, sent)).status, 200, 'without a namespace');
  }));

test('the preconditions of a delete are checked before the protection of a namespace', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    const path = '/api/v1/namespaces/kube-system';
    assert.deepEqual(await refusal(send, 'DELETE', path, { ...OPTIONS, preconditions: { uid: 'x' } }), [
      409,
      'Operation cannot be fulfilled on namespaces "kube-system": Precondition failed: UID in precondition: x, UID in object meta: UID',
    ]);
    assert.equal((await send('DELETE', path, OPTIONS)).status, 403);
  }));

test('a namespace cannot get a generateName that no namespace name can have', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    const generateName = 'a'.repeat(64);
    assert.deepEqual(await refusal(send, 'PATCH', '/api/v1/namespaces/n', { metadata: { generateName } }), [
      422,
      `Namespace "n" is invalid: metadata.generateName: Invalid value: "${generateName}": must be no more than 63 characters`,
    ]);
    assert.equal((await send('PATCH', '/api/v1/namespaces/n', { metadata: { generateName: 'a-' } })).status, 200);
  }));

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { openMemoryKV } from '@binnacle/kv/memory';
import { withServer } from './server.testing.js';

/** New objects after defaults, admission, strategy and validation. */
const objects: readonly KubernetesObject[] = [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } }];
const JOBS = '/apis/batch/v1/namespaces/n/jobs';
const EVENTS = '/apis/events.k8s.io/v1/namespaces/n/events';
const SERVICES = '/api/v1/namespaces/n/services';
const GENERATED = ['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name', 'controller-uid', 'job-name'];

const job = (metadata: object, labels: Record<string, string> | undefined) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata,
  spec: {
    template: { metadata: { labels }, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
  },
});

for (const [what, given, expected] of [
  ['those of its template', job({ name: 'j' }, { a: 'b' }), ['a', ...GENERATED]],
  ['the generated ones where its template has none', job({ name: 'j' }, undefined), GENERATED],
  ['its own', job({ name: 'j', labels: { x: 'y' } }, { a: 'b' }), ['x']],
  ['its own, though its template has the same', job({ name: 'j', labels: { a: 'b' } }, { a: 'b' }), ['a']],
  ['the given ones of its template when its name is generated', job({ generateName: 'j' }, { a: 'b' }), ['a']],
] as const) {
  test(`a Job has ${what} for labels`, () =>
    withServer(openMemoryKV(), objects, async (send) => {
      const { status, body } = await send('POST', JOBS, given);
      assert.equal(status, 201);
      const { labels = {} } = (JSON.parse(body) as KubernetesObject).metadata;
      assert.deepEqual(Object.keys(labels).sort(), [...expected].sort());
    }));
}

test('an invalid event of events.k8s.io is reported without the group', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    const event = { apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'e' } };
    const { status, message } = await send('POST', EVENTS, event);
    assert.equal(status, 422);
    assert.match(message, /^Event "e" is invalid: /);
  }));

test('a service that becomes an ExternalName loses its internal policy', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } };
    assert.match((await send('POST', SERVICES, service)).body, /"internalTrafficPolicy":"Cluster"/);
    const external = { spec: { type: 'ExternalName', externalName: 'x.y' } };
    const patched = await send('PATCH', `${SERVICES}/s`, external);
    assert.equal(patched.status, 200);
    assert.doesNotMatch(patched.body, /"internalTrafficPolicy":/);
    const wrong = { spec: { internalTrafficPolicy: 'Elsewhere' } };
    assert.equal((await send('PATCH', `${SERVICES}/s`, wrong)).status, 422);
  }));

test('duplicate owner references are stored once, by any write', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', controller: true };
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'd', ownerReferences: [owner, owner] },
      spec: { ports: [{ port: 80 }] },
    };
    for (const [method, url, sent, when] of [
      ['POST', SERVICES, service, ''],
      ['PUT', `${SERVICES}/d`, service, ''],
      ['PATCH', `${SERVICES}/d`, { metadata: service.metadata }, ' after mutating admission happens'],
    ] as const) {
      const { status, body, warnings } = await send(method, url, sent);
      assert.ok(status === 200 || status === 201, body);
      assert.deepEqual((JSON.parse(body) as KubernetesObject).metadata.ownerReferences, [owner]);
      assert.equal(warnings.length, 1);
      assert.ok(warnings[0]?.includes(`.metadata.ownerReferences contains duplicate entries${when}; `), warnings[0]);
    }
  }));

test('a new object may not have a resourceVersion, except in a dry run', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'r', resourceVersion: '7' },
      spec: { ports: [{ port: 80 }] },
    };
    assert.equal((await send('POST', SERVICES, service)).status, 500);
    const tried = await send('POST', `${SERVICES}?dryRun=All`, service);
    assert.equal(tried.status, 201);
    assert.equal((JSON.parse(tried.body) as KubernetesObject).metadata.resourceVersion, undefined);
  }));

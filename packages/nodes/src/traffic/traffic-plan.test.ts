import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import type { Service } from '@binnacle/client/kinds/core/v1';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { placeName, trafficPlan } from './traffic-plan.js';
import { service, slice } from './traffic.testing.js';

const NODES = [
  { host: '127.250.0.1', isEligible: true },
  { host: '127.250.1.1', isEligible: false },
];
const [near, far, unready] = [
  { addresses: ['10.250.0.2'] },
  { addresses: ['10.250.1.2'] },
  { addresses: ['10.250.0.4'], conditions: { ready: false } },
];

/** `PLACE -> ENDPOINTS`, in the plan's order. */
function planned(services: readonly Service[], endpoints = [near, far, unready]): readonly string[] {
  return finish(trafficPlan(services, [slice(endpoints)], NODES)).services.map(
    ({ place, endpoints: found }) =>
      `${placeName(place)} -> ${found.map(({ host, port }) => `${host}:${port}`).join(' ')}`,
  );
}
const http = { name: 'http', port: 8080 };
const BOTH = '127.250.0.2:9000 127.250.1.2:9000';

describe('the plan of traffic', { skip: process.platform !== 'linux' && 'one loopback address' }, () => {
  it('has the TCP ports of cluster IPs that processes answer', () => {
    assert.deepEqual(planned([service()]), [`127.251.0.7:8080 -> ${BOTH}`]);
    const none: readonly Partial<NonNullable<Service['spec']>>[] = [
      { clusterIP: 'None' },
      { ports: [{ ...http, protocol: 'UDP' }] },
      { ports: [{ name: 'other', port: 8080 }] },
    ];
    for (const spec of none) assert.deepEqual(planned([service(spec)]), []);
    assert.deepEqual(planned([service()], [unready]), []);
    assert.deepEqual(planned([service({}, { namespace: 'other' })]), []);
  });

  it('has node ports on each process node', () => {
    const ports = [{ ...http, nodePort: 30_001 }];
    const [, ...atNodes] = planned([service({ ports, type: 'NodePort' })]);
    assert.deepEqual(atNodes, [`127.250.0.1:30001 -> ${BOTH}`, `127.250.1.1:30001 -> ${BOTH}`]);
    const local = service({ ports, type: 'NodePort', externalTrafficPolicy: 'Local' });
    assert.deepEqual(planned([local]), [
      `127.251.0.7:8080 -> ${BOTH}`,
      '127.250.0.1:30001 -> 127.250.0.2:9000',
      '127.250.1.1:30001 -> 127.250.1.2:9000',
    ]);
    assert.deepEqual(planned([local], [near, unready]).slice(1), ['127.250.0.1:30001 -> 127.250.0.2:9000']);
  });

  it('says which clients keep their endpoints, and which stay on their node', () => {
    const one = (spec: Partial<NonNullable<Service['spec']>>) =>
      finish(trafficPlan([service(spec)], [slice([near])], NODES)).services[0];
    assert.equal(one({})?.affinity, undefined);
    assert.equal(one({ sessionAffinity: 'ClientIP' })?.affinity, 10_800_000);
    const sessionAffinityConfig = { clientIP: { timeoutSeconds: 5 } };
    assert.equal(one({ sessionAffinity: 'ClientIP', sessionAffinityConfig })?.affinity, 5000);
    assert.deepEqual([one({})?.isLocal, one({ internalTrafficPolicy: 'Local' })?.isLocal], [false, true]);
  });

  it('gives a port to the older of two services whose cluster IPs map to one address', () => {
    const at = (creationTimestamp: string, clusterIP: string, port: number) =>
      service({ clusterIP, ports: [{ ...http, port }] }, { creationTimestamp });
    const [young, old] = [at('2027-01-02T00:00:00Z', '10.0.0.7', 80), at('2027-01-01T00:00:00Z', '10.9.0.7', 80)];
    const names = (endpointsOfOld: readonly EndpointSlice[]) =>
      finish(
        trafficPlan(
          [young, { ...old, metadata: { ...old.metadata, name: 't' } }],
          [slice([near]), ...endpointsOfOld],
          NODES,
        ),
      ).services.map(({ name }) => name);
    assert.deepEqual(names([slice([far], { labels: { 'kubernetes.io/service-name': 't' } })]), ['n/t:http']);
    assert.deepEqual(names([]), [], 'the older one has no endpoints now');
  });

  it('has the health of services and nodes', () => {
    const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30_900 } as const;
    const { health, nodes } = finish(trafficPlan([service(spec)], [slice([near, unready])], NODES));
    assert.deepEqual(
      health.map(({ place, namespace, name, endpoints }) => [placeName(place), namespace, name, endpoints]),
      [
        ['127.250.0.1:30900', 'n', 's', 1],
        ['127.250.1.1:30900', 'n', 's', 0],
      ],
    );
    assert.deepEqual(
      nodes.map(({ place, isEligible }) => [placeName(place), isEligible]),
      [
        ['127.250.0.1:10256', true],
        ['127.250.1.1:10256', false],
      ],
    );
  });

  it('takes a step for each port, and has no more than 2,000 ports', () => {
    const ports = Array.from({ length: 5000 }, (_, index) => ({ name: `p${index}`, port: 8000 + index }));
    const endpoints = Array.from({ length: 1000 }, () => near);
    const steps = trafficPlan([service({ ports })], [{ ...slice(endpoints), ports }], NODES);
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count++;
    assert.ok(count >= 2000, `${count} steps`);
    assert.equal(step.value.services.length, 2000);
    assert.equal(step.value.services[0]?.endpoints.length, 1000);
  });
});

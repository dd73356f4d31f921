import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { live, podOn, stepAt } from './pod-life.testing.js';

const c: Container = { name: 'c', image: 'img:1' };
const started = (image = 'img:1') => [
  `Pulled: Container image "${image}" already present on machine and can be accessed by the pod`,
  'Created: Container created',
  'Started: Container started',
];
const leaving = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, deletionTimestamp: '2027-01-04T00:01:00Z' },
});
const scripted = (annotation: string, value: string, spec: Partial<NonNullable<Pod['spec']>> = {}): Pod =>
  podOn(spec, { annotations: { [`binnacle.dev/${annotation}`]: value } });

describe('events of containers', () => {
  it('report each start, and which part of the pod it is', () => {
    assert.deepEqual(live(podOn(), 60_000).events, started());
    const pod = podOn({
      containers: [c, { ...c, name: 'd' }],
      initContainers: [{ ...c, name: 's', restartPolicy: 'Always' }],
    });
    const { events } = stepAt(pod, 0);
    assert.deepEqual(
      events.filter(({ reason }) => reason === 'Started').map(({ fieldPath }) => fieldPath),
      ['spec.initContainers{s}', 'spec.containers{c}', 'spec.containers{d}'],
    );
    const running = live(podOn(), 5000).pod;
    const debugged = {
      ...running,
      spec: { ...podOn().spec, containers: [c], ephemeralContainers: [{ ...c, name: 'e' }] },
    };
    assert.deepEqual(
      stepAt(debugged, 6000).events.map(({ reason, fieldPath }) => `${reason} ${fieldPath}`),
      ['Pulled', 'Created', 'Started'].map((reason) => `${reason} spec.ephemeralContainers{e}`),
    );
  });

  it('report restarts and backoffs, but no end of a container by itself', () => {
    const backOff = 'BackOff: Back-off restarting failed container c in pod p_n(u)';
    const { events } = live(scripted('fail-after', '2s'), 16_000);
    assert.deepEqual(events, [...started(), ...started(), backOff, ...started()]);
    assert.deepEqual(live(scripted('run-for', '2s', { restartPolicy: 'Never' }), 60_000).events, started());
    const probed = { containers: [{ name: 'c', image: 'img:1', livenessProbe: {} }] };
    assert.deepEqual(live(scripted('liveness-fails-after', '2s', probed), 4000).events, [
      ...started(),
      'Unhealthy: Liveness probe failed: simulated',
      'Killing: Container c failed liveness probe, will be restarted',
      ...started(),
    ]);
  });

  it('name the container that is killed: with its pod, at the deadline, after the other containers, and for another image', () => {
    const running = live(podOn(), 5000).pod;
    assert.deepEqual(live(leaving(running), 60_000, 9000).events, ['Killing: Stopping container c']);
    assert.deepEqual(live(podOn({ activeDeadlineSeconds: 2 }), 60_000).events, [
      ...started(),
      'Killing: Stopping container c',
    ]);
    const sidecar: Container = { ...c, name: 's', restartPolicy: 'Always' };
    const { events } = live(scripted('run-for', '5s', { initContainers: [sidecar], restartPolicy: 'Never' }), 60_000);
    assert.deepEqual(events, [...started(), ...started(), 'Killing: Stopping container s']);
    const changed = { ...running, spec: { ...podOn().spec, containers: [{ ...c, image: 'img:2' }] } };
    assert.deepEqual(live(changed, 60_000, 9000).events, [
      'Killing: Container c definition changed, will be restarted',
      ...started('img:2'),
    ]);
  });

  it('report nothing about containers that never ran', () => {
    assert.deepEqual(live(leaving(podOn()), 60_000).events, []);
  });

  it('leave out those of later containers when there are thousands', () => {
    const containers = Array.from({ length: 3000 }, (_, index) => ({ ...c, name: `c${index}` }));
    const { pod, events } = live(podOn({ containers }), 60_000);
    assert.ok(events.length > 25 && events.length < 200, `${events.length} events`);
    const ending = stepAt(leaving(pod), 61_000);
    assert.ok(ending.events.length > 25 && ending.events.length < 200, `${ending.events.length} events`);
  });
});

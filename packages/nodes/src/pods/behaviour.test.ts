import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { type Behaviour, type ContainerEnd, roleOf } from './behaviour.js';
import { describePod, podOn, START } from './pod-life.testing.js';
import { nextPodStep, type PodStep } from './pod-step.js';

const c: Container = { name: 'c', image: 'img:1' };
const s: Container = { name: 's', image: 'img:1', restartPolicy: 'Always' };
const i: Container = { name: 'i', image: 'img:1' };

it('a container has a role in its pod', () => {
  const e = { name: 'e', image: 'img:1' };
  const pod = podOn({ initContainers: [s, i], containers: [c], ephemeralContainers: [e] });
  assert.deepEqual(
    [c, s, i, e].map((container) => roleOf(pod, container)),
    ['regular', 'sidecar', 'init', 'ephemeral'],
  );
});

/** A pod whose containers end when the test says so, as processes do. */
class Trial {
  pod: Pod;
  readonly ends = new Map<string, ContainerEnd>();
  readonly ready = new Set<string>();
  readonly #behaviour: Behaviour = {
    factsOf: (_, __, { name, state }) => ({
      startedAt: 0,
      readyAt: this.ready.has(name) ? 0 : Infinity,
      unreadyAt: Infinity,
      end: state?.running === undefined ? undefined : this.ends.get(name),
    }),
    endOf: ({ name }) => this.ends.get(name),
    endsAtOnce: false,
    startAfter: 0,
    evictAfter: undefined,
    events: [],
  };

  constructor(pod: Pod) {
    this.pod = pod;
  }

  step(after: number): PodStep {
    const step = nextPodStep({
      pod: this.pod,
      now: START + after,
      hostIPs: ['127.0.0.1'],
      podIPs: ['10.250.0.2'],
      behaviour: this.#behaviour,
    });
    this.pod = { ...this.pod, ...(step.status === undefined ? {} : { status: step.status }) };
    return step;
  }

  /** Takes steps until the pod waits for something. */
  look(after: number): string {
    while (this.step(after).status !== undefined);
    return describePod(this.pod.status ?? {});
  }

  end(name: string, after: number, exitCode = 0): void {
    this.ends.set(name, { exitCode, at: START + after });
  }
}

const leaving = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, deletionTimestamp: '2027-01-04T00:01:00Z', generation: 2 },
});

describe('a pod whose containers are processes', () => {
  it('is ready when its probes say so', () => {
    const trial = new Trial(podOn());
    assert.equal(trial.look(0), 'Running c:runs');
    trial.ready.add('c');
    assert.equal(trial.look(2000), 'Running ready c:runs+');
    assert.equal(trial.step(2000).lookAgainAfter, undefined);
  });

  it('restarts a container that has ended, after a backoff', () => {
    const trial = new Trial(podOn());
    trial.look(0);
    trial.end('c', 3000, 2);
    const step = trial.step(3000);
    assert.equal(describePod(trial.pod.status ?? {}), 'Running c:runs*1');
    assert.equal(trial.pod.status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode, 2);
    assert.deepEqual(step.mustEnd, []);
    trial.end('c', 4000, 2);
    assert.equal(trial.step(4000).lookAgainAfter, 10_000);
    assert.equal(describePod(trial.pod.status ?? {}), 'Running c:CrashLoopBackOff*1');
  });

  it('waits until its containers have ended, with their own codes, before it goes', () => {
    const trial = new Trial(podOn({ containers: [c, { ...c, name: 'd' }] }));
    trial.look(0);
    trial.pod = leaving(trial.pod);
    assert.deepEqual(trial.step(5000).mustEnd, ['c', 'd']);
    trial.end('c', 6000, 143);
    const step = trial.step(6000);
    assert.deepEqual([step.mustEnd, step.canGo, step.events], [['d'], false, []]);
    assert.equal(describePod(trial.pod.status ?? {}), 'Running c:exit 143 d:runs');
    trial.end('d', 7000, 137);
    assert.equal(trial.look(7000), 'Failed c:exit 143 d:exit 137');
    assert.equal(trial.step(7000).canGo, true);
  });

  it('ends its sidecars when the rest has ended, and has its phase when they have', () => {
    const trial = new Trial(podOn({ initContainers: [s], restartPolicy: 'Never' }));
    assert.equal(trial.look(0), 'Running s:runs c:runs');
    trial.end('c', 3000);
    const step = trial.step(3000);
    assert.deepEqual(step.mustEnd, ['s']);
    assert.equal(describePod(trial.pod.status ?? {}), 'Running s:runs c:exit 0');
    trial.end('s', 4000, 143);
    assert.equal(trial.look(4000), 'Succeeded s:exit 143 c:exit 0');
  });

  it('ends a container whose image has changed before it starts the new one', () => {
    const trial = new Trial(podOn());
    trial.look(0);
    trial.pod = { ...trial.pod, spec: { ...trial.pod.spec, containers: [{ ...c, image: 'img:2' }] } };
    assert.deepEqual(trial.step(2000).mustEnd, ['c']);
    trial.end('c', 3000, 143);
    trial.step(3000);
    const [status] = trial.pod.status?.containerStatuses ?? [];
    assert.deepEqual([status?.image, status?.restartCount], ['img:2', 1]);
  });

  it('keeps its phase past its deadline until its containers have ended', () => {
    const trial = new Trial(podOn({ activeDeadlineSeconds: 5 }));
    trial.look(0);
    assert.deepEqual(trial.step(5000).mustEnd, ['c']);
    assert.equal(trial.pod.status?.phase, 'Running');
    trial.end('c', 6000, 143);
    assert.equal(trial.look(6000), 'Failed DeadlineExceeded c:exit 143');
  });
});

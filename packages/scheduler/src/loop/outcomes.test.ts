import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { DynamicClient } from '@binnacle/client/dynamic';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { ScriptedTransport } from '@binnacle/client/testing';
import { Profile } from '../cycle/index.js';
import { failure, type Plugin, type Status, success, unschedulable } from '../framework/index.js';
import { defaultPlugins } from '../plugins/index.js';
import { SchedulingQueue } from '../queue/index.js';
import { attemptOf, idleBinder, noDevices, nodeObject, podFacts } from '../testing/index.js';
import { ClusterCache } from './cluster-cache.js';
import { Outcomes } from './outcomes.js';
import { Postponed } from './postponed.js';
import { WritesInFlight } from './writes-in-flight.js';

const { signal } = new AbortController();

interface Traits {
  /** The answer of Reserve. */
  readonly reserved?: Status;
  /** The answer of the binding. */
  readonly bound?: Status;
  /** The pod as the cache of pods has it. Default: as it was. */
  readonly current?: Pod | undefined;
}

/** The outcomes of a scheduler with one node, whose queue has given out the pod `p`. */
function start(traits: Traits = {}) {
  const { reserved = success, bound = success } = traits;
  const pod = podFacts('p');
  const clock = new VirtualClock();
  const events: string[] = [];
  const reports: unknown[] = [];
  const transport = new ScriptedTransport(({ path }) => ({ object: { kind: 'Pod', metadata: { name: path } } }));
  const gate: Plugin = { name: 'Gate', reserve: () => reserved, bind: async () => bound };
  const needed = defaultPlugins({ write: async () => undefined, binder: idleBinder, devices: noDevices });
  const profile = new Profile({
    name: 'default-scheduler',
    plugins: [{ plugin: gate, weight: 0 }, ...needed.filter(({ plugin }) => plugin.name === 'PrioritySort')],
  });
  const cache = new ClusterCache({
    namespaceLabels: () => ({}),
    defaultSelector: () => undefined,
    budgets: () => [],
    storage: attemptOf(pod, []).snapshot.storage,
  });
  cache.setNode(nodeObject('n0'));
  const queue = new SchedulingQueue({
    clock,
    compare: () => 0,
    profileOf: () => ({ gates: [], plugin: (name) => profile.plugin(name) }),
  });
  queue.set(pod);
  assert.equal(queue.pop()?.name, 'p');
  const writes = new WritesInFlight(
    (error) => reports.push(error),
    () => undefined,
  );
  const outcomes = new Outcomes({
    client: new DynamicClient(transport),
    clock,
    cache,
    queue,
    postponed: new Postponed(clock),
    writes,
    profileOf: () => profile,
    current: () => ('current' in traits ? traits.current : pod.pod),
    record: ({ metadata }, _type, reason, message) => events.push(`${metadata.name}: ${reason}: ${message}`),
  });
  return {
    pod,
    cache,
    outcomes,
    attempt: attemptOf(pod, []),
    podsOnNode: () => [...(cache.node('n0')?.pods ?? [])].map(({ name }) => name),
    /** The events and the requests, once all writes have ended. */
    settled: async () => {
      await writes.settled();
      const requests = transport.requests.map(({ method, path }) => `${method} ${path.split('/namespaces/')[1]}`);
      return { events, requests, reports };
    },
  };
}

const STATUS = 'PATCH default/pods/p/status';

describe('the outcome of a scheduling cycle', () => {
  it('puts a pod on its node at once, and binds it', async () => {
    const { pod, outcomes, attempt, podsOnNode, settled } = start();
    outcomes.enter(pod, { attempt, node: 'n0' }, signal);
    assert.deepEqual(podsOnNode(), ['p']);
    const events = ['p: Scheduled: Successfully assigned default/p to n0'];
    assert.deepEqual(await settled(), { events, requests: [], reports: [] });
  });

  for (const [what, traits, reason] of [
    ['Reserve rejects it', { reserved: unschedulable('no') }, 'no'],
    ['the binding fails', { bound: failure('broken') }, 'broken'],
  ] as const) {
    it(`takes the pod off its node when ${what}`, async () => {
      const { pod, outcomes, attempt, podsOnNode, settled } = start(traits);
      outcomes.enter(pod, { attempt, node: 'n0' }, signal);
      const { events, requests } = await settled();
      assert.deepEqual([podsOnNode(), requests], [[], [STATUS]]);
      assert.match(events.join(), new RegExp(`^p: FailedScheduling: .*${reason}`));
    });
  }

  it('leaves a pod on its node whose binding fails although it has a node', async () => {
    const current = { ...podFacts('p').pod, spec: { containers: [], nodeName: 'n0' } };
    const { pod, outcomes, attempt, podsOnNode, settled } = start({ bound: failure('lost'), current });
    outcomes.enter(pod, { attempt, node: 'n0' }, signal);
    assert.deepEqual([await settled(), podsOnNode()], [{ events: [], requests: [], reports: [] }, ['p']]);
  });

  it('reports why no node fits, in an event of at most 1024 characters', async () => {
    const { pod, outcomes, attempt, settled } = start();
    const message = 'x'.repeat(2000);
    outcomes.enter(pod, { attempt, diagnosis: { message, rejectedBy: new Set(['Gate']), victims: [] } }, signal);
    const { events, requests } = await settled();
    assert.deepEqual(requests, [STATUS]);
    assert.deepEqual(events, [`p: FailedScheduling: ${'x'.repeat(1020)} ...`]);
  });

  it('ends the victims, and takes the nomination from pods of lower priority', async () => {
    const { pod, cache, outcomes, attempt, settled } = start();
    const low = podFacts('low', { spec: { priority: -1 } });
    const high = podFacts('high', { spec: { priority: 1 } });
    for (const other of [low, high]) cache.nominate(other, 'n0');
    const diagnosis = { message: 'full', rejectedBy: new Set(['Gate']), nominatedNode: 'n0', victims: [podFacts('v')] };
    outcomes.enter(pod, { attempt, diagnosis }, signal);
    assert.deepEqual(new Set(cache.nominated('n0').map(({ name }) => name)), new Set(['p', 'high']));
    const { events, requests } = await settled();
    assert.deepEqual(events, ['p: FailedScheduling: full', 'v: Preempted: Preempted by pod default/p on node n0']);
    assert.deepEqual(new Set(requests), new Set([STATUS, 'PATCH default/pods/v/status', 'DELETE default/pods/v']));
  });

  it('changes nothing on the server for a pod that is gone', async () => {
    const { pod, outcomes, settled } = start({ current: undefined });
    outcomes.enter(pod, new Error('broken'), signal);
    assert.deepEqual(await settled(), { events: [], requests: [], reports: [] });
  });
});

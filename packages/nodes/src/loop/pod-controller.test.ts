import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { withoutTurns } from '@binnacle/apimachinery/turns';
import { SharedInformerFactory } from '@binnacle/client/cache';
import { DynamicClient } from '@binnacle/client/dynamic';
import { EventBroadcaster } from '@binnacle/client/events';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { FakeObjects, RecordedEvents, type ScriptedAnswer } from '@binnacle/client/testing';
import { scripted } from '../pods/index.js';
import type { ProcessPodsListener } from '../workloads/index.js';
import { BY_NODE, nodeNamesOf } from './node-memory.js';
import { ASSIGNED, podController, type PodProcesses } from './pod-controller.js';

const STATUS = '/api/v1/namespaces/n/pods/p/status';

const conflict: ScriptedAnswer = {
  status: 409,
  object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 409, reason: 'Conflict', message: 'changed' },
};

const node: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-0' },
  status: { allocatable: { cpu: '1', memory: '1Gi', pods: '10' } },
};

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n', uid: 'u' },
  spec: { nodeName: 'node-0', automountServiceAccountToken: false, containers: [{ name: 'c', image: 'img:1' }] },
};

/** A node with one new pod. `refusal` answers writes in place of the server. */
async function start(refusal: ScriptedAnswer | undefined, processes?: PodProcesses) {
  // Times of the machine would decide when it writes.
  const turns = withoutTurns();
  const clock = new VirtualClock(Date.UTC(2027, 0, 4));
  const given: { refusal: ScriptedAnswer | undefined } = { refusal };
  /** Milliseconds since the start. */
  const writes: number[] = [];
  const objects = new FakeObjects([Node, Pod], ({ method, path, body }) => {
    if (method === 'DELETE') objects.delete(Pod, pod.metadata);
    if (method === 'DELETE') return { object: pod };
    assert.deepEqual([method, path], ['PUT', STATUS]);
    writes.push(clock.monotonic());
    if (given.refusal !== undefined) return given.refusal;
    return { object: objects.set(Pod, JSON.parse(String(body)) as Pod) };
  });
  objects.set(Node, node);
  objects.set(Pod, pod);
  const client = new DynamicClient(objects.transport);
  const random = seededRandom(1);
  const informers = new SharedInformerFactory(client, { clock, random });
  const recorded = new RecordedEvents();
  const events = new EventBroadcaster([recorded], { clock, random });
  const controller = podController({
    nodes: new Map([
      ['node-0', { name: 'node-0', index: 0, ...(processes && { processes: { images: [], isTainted: false } }) }],
    ]),
    processes,
    pods: informers.informer(Pod, { fieldSelector: ASSIGNED, indexes: { [BY_NODE]: nodeNamesOf } }),
    nodeObjects: informers.informer(Node),
    clientOf: () => client,
    recorderOf: (host) => events.recorder({ component: 'kubelet', host }),
  });
  const stopping = new AbortController();
  const bound = controller.bind({ client, informers, clock, events, report: () => undefined });
  const running = [informers.run(stopping.signal), bound.run(stopping.signal)];
  await settle();
  const stop = async (): Promise<void> => {
    stopping.abort(new Error('the nodes stop'));
    await Promise.all(running);
    await events[Symbol.asyncDispose]();
    turns[Symbol.dispose]();
  };
  const advance = async (seconds: number): Promise<void> => {
    for (let step = 0; step < seconds * 10; step++) {
      await clock.advance(100);
      await settle();
    }
  };
  return { given, writes, advance, objects, recorded, [Symbol.asyncDispose]: stop };
}

describe('the status of a pod', () => {
  it('is written again at least each ten seconds while the node is cut off', async () => {
    await using cut = await start(new Error('no route to host'));
    await cut.advance(600);
    const waits = cut.writes.map((at, index) => at - (cut.writes[index - 1] ?? 0));
    const longest = Math.max(...waits);
    assert.ok(longest > 5000 && longest <= 10_100, `a wait of ${longest} ms`);
    cut.given.refusal = undefined;
    const before = cut.writes.length;
    await cut.advance(11);
    assert.ok(cut.writes.length > before);
  });

  it('is written again a second after a conflict that no change of the pod follows', async () => {
    await using refused = await start(conflict);
    await refused.advance(3);
    const [first = 0, second = 0] = refused.writes;
    assert.ok(second - first >= 1000 && second - first <= 1100, `written at ${refused.writes.join(', ')}`);
    refused.given.refusal = undefined;
    const before = refused.writes.length;
    await refused.advance(2);
    assert.ok(refused.writes.length > before);
  });

  it('that exceeds a request has an event, and is written again minutes later', async () => {
    const tooLarge = { code: 413, reason: 'RequestEntityTooLarge', message: 'limit is 3145728' };
    const object = { kind: 'Status', apiVersion: 'v1', status: 'Failure', ...tooLarge };
    await using large = await start({ status: 413, object });
    await large.advance(60);
    assert.equal(large.writes.length, 1);
    assert.ok(large.recorded.lines.some((line) => /FailedStatusUpdate.*limit is 3145728/.test(line)));
    await large.advance(300);
    assert.equal(large.writes.length, 2);
  });
});

/** Processes that fail to mount until they are told otherwise. They run as scripts say. */
function someProcesses() {
  const state = {
    mountProblem: 'no volume' as string | undefined,
    running: new Set<string>(),
    listener: undefined as ProcessPodsListener | undefined,
  };
  const processes: PodProcesses = {
    behaviourOf: scripted,
    carryOut: async ({ metadata: { name = '' } }) => {
      if (state.mountProblem === undefined) state.running.add(name);
      return [];
    },
    forget: ({ metadata: { name = '' } }) => void state.running.delete(name),
    listen: (listener) => void (state.listener = listener),
    prepare: async () => ({ mountProblem: state.mountProblem, holds: new Map() }),
  };
  return { state, processes };
}

describe('a pod whose containers are processes', () => {
  it('runs when its files are made, and ends when it is gone', async () => {
    const { state, processes } = someProcesses();
    await using nodes = await start(undefined, processes);
    await nodes.advance(1);
    assert.ok(nodes.recorded.lines.some((line) => line.includes('FailedMount')));
    assert.equal(state.running.size, 0);
    state.mountProblem = undefined;
    state.listener?.onChange(pod);
    await nodes.advance(5);
    assert.deepEqual([...state.running], ['p']);
    state.listener?.onEvent(pod, { type: 'Warning', reason: 'Unhealthy', message: 'no answer' });
    await nodes.advance(1);
    assert.ok(nodes.recorded.lines.some((line) => line.includes('Unhealthy')));
    nodes.objects.delete(Pod, pod.metadata);
    await nodes.advance(1);
    assert.equal(state.running.size, 0);
  });
});

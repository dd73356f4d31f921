import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Transport, TransportRequest } from '@binnacle/client/transport';
import type { Extender, WaitingSteps } from '../framework/index.js';
import { nodeState, podFacts, snapshotOf } from '../testing/index.js';
import { readScores } from './answers.js';
import type { ExtenderConfiguration } from './extender-configuration.js';
import { httpExtender } from './http-extender.js';

const configuration: ExtenderConfiguration = {
  urlPrefix: 'http://ext/',
  filterVerb: 'filter',
  preemptVerb: 'preempt',
  prioritizeVerb: 'prioritize',
  bindVerb: 'bind',
  weight: 3,
  timeoutMs: 5000,
  nodeCacheCapable: true,
  managedResources: [],
  isIgnorable: false,
  tls: {
    insecure: false,
    serverName: undefined,
    caFile: undefined,
    certFile: undefined,
    keyFile: undefined,
    ca: undefined,
    cert: undefined,
    key: undefined,
  },
};

const nodes = [nodeState('a', { pods: [podFacts('victim')] }), nodeState('b')];
const pod = podFacts('pod');

/** An extender that answers everything with this. */
function answering(answer: unknown, changes: Partial<ExtenderConfiguration> = {}, status = 200) {
  const asked: { path: string; question: Record<string, unknown> }[] = [];
  const transport: Transport = {
    send: async ({ path, body = '' }: TransportRequest) => {
      asked.push({ path, question: JSON.parse(Buffer.from(body).toString()) as Record<string, unknown> });
      if (answer instanceof Error) throw answer;
      const bytes = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
      return {
        status,
        headers: {},
        body: (async function* () {
          yield bytes;
        })(),
        cancel: () => undefined,
      };
    },
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return { extender: httpExtender({ ...configuration, ...changes }, transport), asked };
}

async function run<T>(steps: WaitingSteps<T> | undefined): Promise<T> {
  assert.ok(steps);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}

const filter = (extender: Extender) => run(extender.filter?.(pod, nodes));

describe('an extender', () => {
  it('filters nodes by name', async () => {
    const { extender, asked } = answering({
      NodeNames: ['b'],
      FailedNodes: { a: 'full' },
      FailedAndUnresolvableNodes: { c: 'broken' },
    });
    const { feasible, rejected } = await run(extender.filter?.(pod, [...nodes, nodeState('c')]));
    assert.deepEqual(
      feasible.map(({ name }) => name),
      ['b'],
    );
    assert.deepEqual(
      [...rejected],
      [
        ['a', { code: 'Unschedulable', reasons: ['full'] }],
        ['c', { code: 'UnschedulableAndUnresolvable', reasons: ['broken'] }],
      ],
    );
    assert.equal(asked[0]?.path, '/filter');
    const { Pod, ...rest } = asked[0]?.question ?? {};
    assert.deepEqual(Pod, JSON.parse(JSON.stringify(pod.pod)));
    assert.deepEqual(rest, { Nodes: null, NodeNames: ['a', 'b', 'c'] });
  });

  it('counts only for the nodes that it was asked about, each once', async () => {
    const others = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`other${index}`, 'full']));
    const { extender } = answering({ NodeNames: ['b', 'b', 'b'], FailedNodes: { ...others, a: 'full' } });
    const { feasible, rejected } = await filter(extender);
    assert.deepEqual([feasible.map(({ name }) => name), [...rejected.keys()]], [['b'], ['a']]);
  });

  it('may answer at most a few megabytes more than the question, and explain an error in 16 KiB', async () => {
    const long = answering({ NodeNames: ['a'], FailedNodes: { b: 'x'.repeat(3_000_000) } });
    await assert.rejects(filter(long.extender), /longer/);
    const failing = answering({ Error: 'x'.repeat(100_000) });
    await assert.rejects(filter(failing.extender), (error: Error) => error.message.length === 16 * 1024);
  });

  it('has its scores read in steps', () => {
    let yields = 0;
    for (const _ of readScores(Array.from({ length: 20_000 }, () => ({ Host: 'a', Score: 1 })))) yields++;
    assert.equal(yields, 4);
  });

  it('filters whole nodes, and reads names of fields in any case', async () => {
    const { extender, asked } = answering(
      { nodes: { items: [{ metadata: { name: 'a' } }] }, failednodes: { b: 'no' } },
      { nodeCacheCapable: false },
    );
    const { feasible, rejected } = await filter(extender);
    assert.deepEqual([feasible.map(({ name }) => name), [...rejected.keys()]], [['a'], ['b']]);
    const question = asked[0]?.question as { Nodes: { items: { metadata: { name: string } }[] }; NodeNames: unknown };
    assert.deepEqual(
      question.Nodes.items.map(({ metadata }) => metadata.name),
      ['a', 'b'],
    );
    assert.equal(question.NodeNames, null);
  });

  it('rates nodes from 0 to 10, times its weight', async () => {
    const { extender } = answering([
      { Host: 'a', Score: 10 },
      { Host: 'b', Score: 1 },
    ]);
    assert.deepEqual(
      [...(await run(extender.prioritize?.(pod, nodes)))],
      [
        ['a', 300],
        ['b', 30],
      ],
    );
  });

  it('chooses among victims', async () => {
    const victim = podFacts('victim');
    const { extender, asked } = answering({
      NodeNameToMetaVictims: { a: { Pods: [{ UID: victim.uid }], NumPDBViolations: 1 } },
    });
    const victims = new Map([['a', { pods: [victim], violations: 2 }]]);
    const chosen = await run(extender.preempt?.(pod, victims, snapshotOf(nodes)));
    assert.deepEqual(
      [...chosen].map(([name, { pods, violations }]) => [name, pods[0]?.name, violations]),
      [['a', 'victim', 1]],
    );
    const { Pod: _, ...rest } = asked[0]?.question ?? {};
    const byNode = { a: { Pods: [{ UID: victim.uid }], NumPDBViolations: 2 } };
    assert.deepEqual(rest, { NodeNameToVictims: null, NodeNameToMetaVictims: byNode });
  });

  it('binds', async () => {
    const { extender, asked } = answering({});
    await extender.bind?.(pod, 'a', new AbortController().signal);
    const question = { PodName: 'pod', PodNamespace: pod.namespace, PodUID: pod.uid, Node: 'a' };
    assert.deepEqual(asked, [{ path: '/bind', question }]);
  });

  it('has no say at points without a verb', () => {
    const verbs = { filterVerb: '', prioritizeVerb: '', preemptVerb: '', bindVerb: '' };
    const { extender } = answering({}, verbs);
    for (const point of ['filter', 'prioritize', 'preempt', 'bind'] as const) assert.ok(!(point in extender), point);
  });

  for (const [what, managedResources, requests, expected] of [
    ['all pods', [], {}, true],
    ['a pod with its resource', ['a.com/x'], { 'a.com/x': '1' }, true],
    ['not a pod without', ['a.com/x'], { cpu: '1' }, false],
  ] as const) {
    it(`is interested in ${what}`, () => {
      const asking = podFacts('p', { requests });
      assert.equal(answering({}, { managedResources }).extender.isInterested(asking), expected);
    });
  }

  const late = Object.assign(new Error('late'), { name: 'TimeoutError' });
  for (const [what, answer, status, message] of [
    ['reports an error', { Error: 'no way' }, 200, 'no way'],
    ['answers with another status', {}, 500, 'failed filter with extender at URL http://ext/filter, code 500'],
    [
      'names an unknown node',
      { NodeNames: ['z'] },
      200,
      'extender "http://ext/" claims a filtered node "z" which is not found in the input node list',
    ],
    ['is out of reach', new Error('refused'), 200, 'Post "http://ext/filter": Error: refused'],
    [
      'is late',
      late,
      200,
      'Post "http://ext/filter": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    ],
  ] as const) {
    it(`fails when it ${what}`, () => assert.rejects(filter(answering(answer, {}, status).extender), { message }));
  }

  it('fails when it answers no JSON', () =>
    assert.rejects(filter(answering('{').extender), /unexpected end of JSON input/));

  it('fails when it claims a victim that is not there', () => {
    const { extender } = answering({ NodeNameToMetaVictims: { b: { Pods: [{ UID: 'u' }] } } });
    const message =
      'extender: http://ext/ claims to preempt pod (UID: &{u}) on node: b, but the pod is not found on that node';
    return assert.rejects(run(extender.preempt?.(pod, new Map(), snapshotOf(nodes))), { message });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge } from './compare.mjs';
import { divideControllers } from './controllers.mjs';
import { combineEvents, summarizeEvents } from './events.mjs';
import { Masker } from './masker.mjs';
import { combine, print } from './record.mjs';
import { areas, loadScenarios, readRecordings } from './scenarios.mjs';

const play = { namespace: 'job-simple-u12345a', unique: 'u12345a', nodes: ['hollow-node-0'], ownsNodes: false };
const pod = (name, uid, more = {}) => ({
  metadata: { name, namespace: play.namespace, uid, resourceVersion: '7' },
  ...more,
});

describe('masks', () => {
  it('gives the same hash the same symbol, numbered by content', () => {
    const masker = new Masker(play);
    const template = (hash) => ({ metadata: { name: `web-${hash}`, labels: { 'pod-template-hash': hash } } });
    const [one, two] = masker.objects('ReplicaSet', [template('5b4fdd8c66'), template('6c9c8d7f99')]);
    assert.deepEqual(one.metadata, { name: 'web-<hash1>', labels: { 'pod-template-hash': '<hash1>' } });
    assert.equal(two.metadata.name, 'web-<hash2>');
    assert.equal(
      masker.text('Scaled up replica set web-6c9c8d7f99 from 0 to 1'),
      'Scaled up replica set web-<hash2> from 0 to 1',
    );
  });

  it('counts the objects of a name and hides names, nodes, addresses, times and ports', () => {
    const masker = new Masker(play);
    masker.objects('Pod', [pod('db-0', 'a')]);
    assert.deepEqual(masker.objects('Pod', [pod('db-0', 'b')])[0].metadata, { name: 'db-0', uid: '<uid 2>' });
    const text = 'web-7x2kq on hollow-node-0 of job-simple-u12345a, 10.0.0.9, 2026-01-02T03:04:05Z, x-u12345a';
    assert.equal(masker.text(text), 'web-<rand> on <node> of <ns>, <ip>, <time>, x-<u>');
    assert.deepEqual(masker.value({ nodePort: 30123, conditions: [{ type: 'B' }, { type: 'A' }], annotations: {} }), {
      nodePort: '<port>',
      conditions: [{ type: 'A' }, { type: 'B' }],
    });
  });

  it('leaves out defaulted fields and the token volume of pods, unless whole', () => {
    const spec = { dnsPolicy: 'ClusterFirst', nodeName: 'x', volumes: [{ name: 'kube-api-access-x' }] };
    const [short] = new Masker(play).objects('Pod', [pod('p', 'a', { spec })]);
    const [whole] = new Masker(play).objects('Pod', [pod('p', 'a', { spec })], true);
    assert.deepEqual([short.spec, whole.spec.dnsPolicy], [{ nodeName: 'x' }, 'ClusterFirst']);
  });

  it('counts equal events', () => {
    const event = {
      involvedObject: { kind: 'Pod', name: 'p' },
      type: 'Normal',
      reason: 'Made',
      message: 'at 10.0.0.1',
    };
    const other = { ...event, message: 'at 10.0.0.2', count: 3, source: {} };
    const nodeEvent = { ...event, reason: 'RegisteredNode' };
    const [entry, ...more] = summarizeEvents([event, other, nodeEvent], new Masker(play), false);
    assert.deepEqual([entry.message, entry.count, more], ['at <ip>', 4, []]);
  });
});

describe('comparison', () => {
  const event = { kind: 'Job', name: 'j', type: 'Normal', reason: 'Completed', message: 'done', from: 'c', count: 2 };
  const recorded = [
    { do: 'create Job j', status: 201 },
    { settled: 'a pod', ok: true },
    { snapshot: 'end', objects: { Pod: [{ metadata: { name: 'p' }, status: { phase: '<any>' } }] } },
    { events: [event, { ...event, reason: 'Rare', sometimes: true }] },
  ];
  const played = [
    { do: 'create Job j', status: 201 },
    { settled: 'a pod', ok: true },
    { snapshot: 'end', objects: { Pod: [{ metadata: { name: 'p' }, status: { phase: 'Failed' } }] } },
    { events: [event] },
  ];
  const judged = (index, step) => judge(recorded, played.with(index, step));

  it('accepts what the recording leaves open', () => {
    assert.deepEqual(judge(recorded, played), { verdict: 'exact', differences: [] });
  });

  it('reports `differs` for a wrong code or a missed condition, and `settled` for other differences', () => {
    assert.equal(judged(0, { do: 'create Job j', status: 403 }).verdict, 'differs');
    assert.equal(judged(1, { settled: 'a pod', ok: false }).verdict, 'differs');
    assert.equal(judge(recorded, played.slice(0, 1)).verdict, 'differs');
    assert.deepEqual(judged(2, { snapshot: 'end', objects: { Pod: [] } }), {
      verdict: 'settled',
      differences: ['end: Pod has 0 items, recorded 1'],
    });
    assert.deepEqual(judged(3, { events: [{ ...event, count: 1 }] }).differences, [
      'event Job j Completed: 1 times, recorded 2',
    ]);
    assert.equal(judged(3, { events: [] }).differences.length, 1);
    assert.equal(judged(3, { events: [event, { ...event, message: 'x' }] }).differences.length, 1);
  });

  it('holds each recording equal to itself, and each scenario has one', async () => {
    const names = (await loadScenarios()).map(({ name }) => name);
    const recordings = areas.flatMap((area) =>
      Object.entries(readRecordings(area)).map(([name, steps]) => [`${area}/${name}`, steps]),
    );
    assert.deepEqual(recordings.map(([name]) => name).sort(), names.toSorted());
    for (const [name, steps] of recordings)
      assert.deepEqual(judge(steps, steps), { verdict: 'exact', differences: [] }, name);
  });
});

describe('recordings', () => {
  it('keep what all plays agree on', () => {
    const plays = [1, 2].map((generation) => [{ do: 'x', status: 200, objects: [{ generation, name: 'a' }] }]);
    assert.deepEqual(combine(plays), [{ do: 'x', status: 200, objects: [{ generation: '<any>', name: 'a' }] }]);
    const event = { kind: 'Pod', name: 'p', type: 'Normal', reason: 'Made', message: '', from: '', count: 1 };
    const combined = combineEvents([
      [event],
      [
        { ...event, count: 2 },
        { ...event, reason: 'Rare' },
      ],
    ]);
    assert.deepEqual(
      combined.map(({ reason, count, sometimes }) => [reason, count, sometimes]),
      [
        ['Made', '<any>', undefined],
        ['Rare', '<any>', true],
      ],
    );
  });

  it('are printed as JSON', () => {
    const steps = [{ do: 'x' }, { snapshot: 's', objects: { Pod: [{ a: 1 }], Job: '<any>' } }, { events: [{ b: 2 }] }];
    assert.deepEqual(JSON.parse(print({ b: steps, a: [] })), { a: [], b: steps });
  });
});

describe('division of controllers', () => {
  it('gives the manager those that the server does not run', () => {
    assert.deepEqual(divideControllers('ours'), { ours: '*', upstream: undefined });
    assert.deepEqual(divideControllers('upstream'), { ours: '', upstream: '*' });
    assert.equal(divideControllers('namespace').upstream, '*,-namespace-controller');
    assert.match(divideControllers('mixed').upstream, /^\*,.*-garbage-collector-controller/);
    assert.throws(() => divideControllers('nonsense'), /known controllers/);
  });
});

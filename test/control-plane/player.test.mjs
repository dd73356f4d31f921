import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge } from './compare.mjs';
import { divideControllers } from './controllers.mjs';
import { combineEvents, summarizeEvents } from './events.mjs';
import { Masker } from './masker.mjs';
import { DifferenceNames, readNamedDifferences } from './named-differences.mjs';
import { combine, print } from './record.mjs';
import { describeNames, describeResult, exactShareOf, summarize } from './report.mjs';
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

describe('named differences', () => {
  const started = 'end: Pod[web-<rand>].status.containerStatuses[0].started extra (true)';
  const pulled = 'event extra: Pod db-0 Pulled: Container image "img:2" already present (kubelet)';
  const named = [
    { reason: 'a', differences: { '*': ['*: Pod[*].status.containerStatuses[*].started extra (true)'] } },
    {
      reason: 'b',
      nodes: 'ours',
      differences: { 'job/*': ['event extra: Pod * Pulled: Container image "img:*" already present (kubelet)'] },
    },
    { reason: 'c', nodes: 'ours', isByChance: true, differences: { 'job/x': ['rare'] } },
  ];
  const judgedBy = (names, scenario, differences, verdict = 'settled') =>
    names.judge({ scenario, area: scenario.split('/')[0], verdict, differences, seconds: 1 });
  const judged = (scenario, differences, { nodes = 'ours', verdict } = {}) =>
    judgedBy(new DifferenceNames(named, nodes), scenario, differences, verdict);

  it('turn a settled scenario into a named one if they explain all', () => {
    const cases = [
      ['job/x', [started, pulled], {}, 'named', []],
      ['job/x', [started], { nodes: 'hollow' }, 'named', []],
      // Another value, another field, another reason of an event, more text.
      ['job/x', [started.replace('true', 'false')], {}, 'settled', 1],
      ['job/x', [started.replace('containerStatuses', 'initContainerStatuses')], {}, 'settled', 1],
      ['job/x', [started, pulled.replace('Pulled', 'Failed')], {}, 'settled', 1],
      ['job/x', [`${started} and more`], {}, 'settled', 1],
      ['job/x', [started.replace('<rand>', '<rand>].status[a')], {}, 'settled', 1],
      ['job/x', [pulled.replace('img:2', 'img:2" by "another')], {}, 'settled', 1],
      // Another scenario, other nodes.
      ['jobs/x', [pulled], {}, 'settled', 1],
      ['job/x', [pulled], { nodes: 'hollow' }, 'settled', 1],
      ['job/x', [], { verdict: 'exact' }, 'exact', []],
      ['job/x', [started], { verdict: 'differs' }, 'differs', []],
    ];
    for (const [scenario, differences, options, verdict, rest] of cases) {
      const result = judged(scenario, differences, options);
      const unnamed = rest === 1 ? [differences.at(-1)] : rest;
      assert.deepEqual([result.verdict, result.differences], [verdict, unnamed], JSON.stringify(differences));
    }
    assert.deepEqual(judged('job/x', [pulled]).named, [{ difference: pulled, reason: 'b' }]);
  });

  it('are stale once no scenario needs them', () => {
    const all = ['job/x', 'job/y', 'pod/z'];
    const cases = [
      [{}, []],
      [{ 'job/x': [] }, []],
      [{ 'job/x': [], 'job/y': [] }, ['b']],
      [{ 'job/x': [], 'job/y': [pulled] }, []],
      [{ 'job/x': [], 'job/y': [], 'pod/z': [] }, ['a', 'b']],
      [{ 'job/x': [started], 'job/y': [], 'pod/z': [] }, ['b']],
    ];
    for (const [plays, stale] of cases) {
      const names = new DifferenceNames(named, 'ours');
      for (const [scenario, differences] of Object.entries(plays)) judgedBy(names, scenario, differences);
      const found = names.stale(all).map(({ reason }) => reason);
      assert.deepEqual(found, stale, JSON.stringify(plays));
    }
  });

  it('have a column, reasons with counts, and count as exact', () => {
    const results = [
      judged('job/x', [started, pulled]),
      judged('job/y', ['other']),
      judged('job/z', [], { verdict: 'exact' }),
    ];
    assert.match(describeResult(results[0], 9), /^job\/x +named \(2 named\) 1 s$/);
    assert.match(summarize(results), /area +exact +named +settled.*\njob +1 +1 +1 +0 +0\ntotal +1 +1 +1 /);
    const stale = [{ reason: 'c', scenarios: 'job/x', text: 'gone' }];
    assert.deepEqual(describeNames(results, stale).split('\n'), ['    1  a', '    1  b', 'stale  job/x: gone']);
    assert.equal(exactShareOf(results), 2 / 3);
  });

  it('each belong to a scenario that exists', async () => {
    const scenarios = (await loadScenarios()).map(({ name }) => name);
    for (const nodes of ['hollow', 'ours']) {
      const names = new DifferenceNames(readNamedDifferences(), nodes);
      for (const scenario of scenarios) judgedBy(names, scenario, []);
      const needed = readNamedDifferences().filter((entry) => (entry.nodes ?? nodes) === nodes && !entry.isByChance);
      const count = needed.flatMap(({ differences }) => Object.values(differences).flat()).length;
      assert.equal(names.stale(scenarios).length, count);
    }
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

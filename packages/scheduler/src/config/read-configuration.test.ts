import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Plugin, success } from '../framework/index.js';
import { idleBinder, noDevices } from '../testing/index.js';
import { defaultChoices } from '../plugins/index.js';
import { makeProfiles, type OwnPlugins, readSchedulerConfiguration } from './index.js';

const head = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
const parts = { write: async () => undefined, binder: idleBinder, devices: noDevices };
const scoring: Plugin = { name: 'Scoring', score: () => 0, filter: () => success };
const plugins: OwnPlugins = { Scoring: () => scoring };

function read(text: string) {
  return readSchedulerConfiguration(head + text, { plugins });
}

/** The only profile of a file. */
function profileOf(text: string) {
  const [profile] = makeProfiles(read(text).configuration, parts).values();
  assert.ok(profile !== undefined);
  return profile;
}

/** `Name` or `Name*weight` of each plugin that scores. */
function scores(text: string): string {
  const profile = profileOf(text);
  return profile
    .with('score')
    .map((plugin) => `${plugin.name}*${profile.weightOf(plugin)}`)
    .join(' ');
}

const set = (point: string, value: object) => `profiles:\n- plugins: {${point}: ${JSON.stringify(value)}}\n`;
const names = (...list: readonly string[]) => list.map((name) => ({ name }));
const DEFAULT_SCORES =
  'TaintToleration*3 NodeAffinity*2 NodeResourcesFit*1 PodTopologySpread*2 InterPodAffinity*2 DynamicResources*2 NodeResourcesBalancedAllocation*1 ImageLocality*1';

describe('the plugins of a profile', () => {
  for (const [what, text, expected] of [
    ['the default ones', '', DEFAULT_SCORES],
    ['none at a point', set('score', { disabled: names('*') }), ''],
    [
      'without some at a point',
      set('score', { disabled: names('ImageLocality') }),
      DEFAULT_SCORES.replace(' ImageLocality*1', ''),
    ],
    [
      'with a weight at a point, which puts them first',
      set('score', { enabled: [{ name: 'ImageLocality', weight: 5 }] }),
      `ImageLocality*5 ${DEFAULT_SCORES.replace(' ImageLocality*1', '')}`,
    ],
    [
      'with a weight everywhere',
      set('multiPoint', { enabled: [{ name: 'ImageLocality', weight: 5 }] }),
      DEFAULT_SCORES.replace('ImageLocality*1', 'ImageLocality*5'),
    ],
    [
      'without some everywhere',
      set('multiPoint', { disabled: names('ImageLocality') }),
      DEFAULT_SCORES.replace(' ImageLocality*1', ''),
    ],
    [
      'with one of our own',
      set('multiPoint', { enabled: [{ name: 'Scoring', weight: 7 }] }),
      `${DEFAULT_SCORES} Scoring*7`,
    ],
    ['with one of our own at a point', set('score', { enabled: names('Scoring') }), `${DEFAULT_SCORES} Scoring*1`],
    [
      'only those that are enabled',
      set('multiPoint', { disabled: names('*'), enabled: names('ImageLocality', 'PrioritySort', 'DefaultBinder') }),
      'ImageLocality*1',
    ],
  ] as const) {
    it(what, () => assert.equal(scores(text), expected));
  }

  it('take part at other points than the one that disables them', () => {
    const profile = profileOf(set('score', { disabled: names('NodeResourcesFit') }));
    assert.ok(profile.with('filter').some(({ name }) => name === 'NodeResourcesFit'));
    assert.equal(defaultChoices.length, 20);
  });

  it('get their arguments', () => {
    const given: unknown[] = [];
    const text = `profiles:\n- plugins: {multiPoint: {enabled: [{name: Own}]}}\n  pluginConfig: [{name: Own, args: {a: 1}}]\n`;
    const own: OwnPlugins = {
      Own: (args) => {
        given.push(args);
        return { ...scoring, name: 'Own' };
      },
    };
    makeProfiles(readSchedulerConfiguration(head + text, { plugins: own }).configuration, parts);
    assert.deepEqual(given, [{ a: 1 }, { a: 1 }]);
  });
});

describe('a file', () => {
  it('has several profiles, and settings of the queue', () => {
    const text = `podInitialBackoffSeconds: 2
podMaxBackoffSeconds: 30
percentageOfNodesToScore: 50
clientConnection: {qps: 5, burst: 6}
profiles:
- schedulerName: default-scheduler
- schedulerName: packing
  percentageOfNodesToScore: 70
`;
    const { configuration } = read(text);
    assert.deepEqual(
      configuration.profiles.map(({ schedulerName, percentageOfNodesToScore }) => [
        schedulerName,
        percentageOfNodesToScore,
      ]),
      [
        ['default-scheduler', 50],
        ['packing', 70],
      ],
    );
    const { podInitialBackoffMs, podMaxBackoffMs, qps, burst } = configuration;
    assert.deepEqual([podInitialBackoffMs, podMaxBackoffMs, qps, burst], [2000, 30_000, 5, 6]);
  });

  it('warns of fields without effect', () => {
    const { warnings } = read(
      'parallelism: 4\nleaderElection: {leaderElect: false}\nclientConnection: {kubeconfig: x, qps: 9}\n',
    );
    assert.deepEqual(warnings, [
      'parallelism has no effect',
      'leaderElection.leaderElect has no effect',
      'clientConnection.kubeconfig has no effect',
    ]);
    assert.deepEqual(read('').warnings, []);
  });
});

const args = (name: string, value: object) =>
  `profiles:\n- pluginConfig: [{name: ${name}, args: ${JSON.stringify(value)}}]\n`;
const shape = [
  { utilization: 0, score: 0 },
  { utilization: 100, score: 10 },
];

describe('arguments of plugins', () => {
  for (const [name, value, expected] of [
    [
      'NodeResourcesFit',
      {},
      {
        scoringStrategy: {
          type: 'LeastAllocated',
          resources: [
            ['cpu', 1],
            ['memory', 1],
          ],
        },
      },
    ],
    [
      'NodeResourcesFit',
      {
        ignoredResources: ['a.b/c'],
        scoringStrategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 3 }, { name: 'a.b/c' }] },
      },
      {
        ignoredResources: ['a.b/c'],
        scoringStrategy: {
          type: 'MostAllocated',
          resources: [
            ['cpu', 3],
            ['a.b/c', 1],
          ],
        },
      },
    ],
    [
      'NodeResourcesFit',
      { scoringStrategy: { type: 'RequestedToCapacityRatio', requestedToCapacityRatio: { shape } } },
      {
        scoringStrategy: {
          type: 'RequestedToCapacityRatio',
          resources: [
            ['cpu', 1],
            ['memory', 1],
          ],
          shape,
        },
      },
    ],
    ['InterPodAffinity', { hardPodAffinityWeight: 0 }, { hardPodAffinityWeight: 0 }],
    ['PodTopologySpread', { defaultingType: 'List' }, { defaultConstraints: [] }],
    ['PodTopologySpread', { defaultingType: 'System' }, undefined],
    ['DynamicResources', { bindingTimeout: '90s' }, { bindingTimeoutMs: 90_000 }],
    ['VolumeBinding', { bindTimeoutSeconds: 5 }, { bindTimeoutSeconds: 5 }],
    ['NodeResourcesBalancedAllocation', { resources: [{ name: 'cpu', weight: 1 }] }, { resources: ['cpu'] }],
  ] as const) {
    it(`of ${name}: ${JSON.stringify(value)}`, () => {
      const [profile] = read(args(name, value)).configuration.profiles;
      const text = JSON.stringify(profile?.args[name], (_, each: unknown) =>
        typeof each === 'object' && each !== null && 'weight' in each && 'name' in each
          ? [each.name, each.weight]
          : each,
      );
      assert.deepEqual(text === undefined ? undefined : JSON.parse(text), expected);
    });
  }

  for (const [what, text, message] of [
    ['an unknown field', 'unknown: 1\n', 'strict decoding error: unknown field "unknown"'],
    [
      'an unknown argument',
      args('NodeResourcesFit', { scoringStrategy: { Type: 'x' } }),
      'strict decoding error: decoding .profiles[0].pluginConfig[0]: strict decoding error: decoding args for plugin NodeResourcesFit: strict decoding error: unknown field "scoringStrategy.Type"',
    ],
    [
      'arguments of another plugin',
      args('DefaultPreemption', { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'InterPodAffinityArgs' }),
      'decoding .profiles[0].pluginConfig[0]: args for plugin DefaultPreemption were not of type DefaultPreemptionArgs.kubescheduler.config.k8s.io, got InterPodAffinityArgs.kubescheduler.config.k8s.io',
    ],
    [
      'an extender without a URL',
      'extenders: [{urlPrefix: x}]\n',
      'extenders[0].urlPrefix: Invalid value: "x": must be a URL of http or https',
    ],
    [
      'an extender that rates without a weight',
      'extenders: [{urlPrefix: "http://x", prioritizeVerb: p}]\n',
      'extenders[0].weight: Invalid value: 0: must have a positive weight applied to it',
    ],
    [
      'two extenders that bind',
      'extenders: [{urlPrefix: "http://x", bindVerb: b}, {urlPrefix: "http://y", bindVerb: b}]\n',
      'extenders: Invalid value: "found 2 extenders implementing bind": only one extender can implement bind',
    ],
    [
      'a resource that two extenders manage',
      'extenders: [{urlPrefix: "http://x", managedResources: [{name: a.com/x}, {name: a.com/x}]}]\n',
      'extenders[0].managedResources[1].name: Invalid value: "a.com/x": duplicate extender managed resource name',
    ],
    [
      'an extender that manages cpu',
      'extenders: [{urlPrefix: "http://x", managedResources: [{name: cpu}]}]\n',
      'extenders[0].managedResources[0].name: Invalid value: "cpu": is an invalid extended resource name',
    ],
    [
      'two profiles without names',
      'profiles: [{}, {}]\n',
      '[profiles[0].schedulerName: Required value, profiles[1].schedulerName: Required value, profiles[1].schedulerName: Duplicate value: "profiles[0].schedulerName"]',
    ],
    [
      'a percentage',
      'percentageOfNodesToScore: 101\n',
      'percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]',
    ],
    [
      'backoffs',
      'podInitialBackoffSeconds: 20\n',
      'podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to PodInitialBackoffSeconds',
    ],
    [
      'a plugin of old releases',
      set('filter', { enabled: names('EBSLimits') }),
      'profiles[0].plugins.filter.enabled[0]: Invalid value: "EBSLimits": was invalid in version "kubescheduler.config.k8s.io/v1" (KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")',
    ],
    [
      'a plugin that does not exist',
      set('score', { enabled: names('Nothing') }),
      'initializing profiles: creating profile for scheduler name default-scheduler: ScorePlugin "Nothing" does not exist',
    ],
    [
      'a plugin at a point that it lacks',
      set('score', { enabled: names('NodeName') }),
      'initializing profiles: creating profile for scheduler name default-scheduler: plugin "NodeName" does not extend ScorePlugin plugin',
    ],
    [
      'no plugin that binds',
      set('bind', { disabled: names('*') }),
      'initializing profiles: creating profile for scheduler name default-scheduler: at least one bind plugin is needed for profile with scheduler name "default-scheduler"',
    ],
    [
      'a strategy',
      args('NodeResourcesFit', { scoringStrategy: { type: 'Best' } }),
      'profiles[0].pluginConfig[0].args.scoringStrategy.type: Unsupported value: "Best": supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"',
    ],
    [
      'a shape',
      args('NodeResourcesFit', {
        scoringStrategy: { type: 'RequestedToCapacityRatio', requestedToCapacityRatio: { shape: shape.toReversed() } },
      }),
      'profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio.shape[1].utilization: Invalid value: 0: values must be sorted in increasing order',
    ],
    [
      'constraints of the system',
      args('PodTopologySpread', {
        defaultConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
      }),
      'profiles[0].pluginConfig[0].args.defaultingType: Invalid value: "System": when .defaultConstraints are not empty',
    ],
    [
      'numbers of candidates',
      args('DefaultPreemption', { minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0 }),
      '[profiles[0].pluginConfig[0].args.minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as minCandidateNodesAbsolute, profiles[0].pluginConfig[0].args.minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as minCandidateNodesPercentage]',
    ],
    [
      'an affinity',
      args('NodeAffinity', { addedAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } }),
      'profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
    ],
  ] as const) {
    it(`refuses ${what}`, () => assert.throws(() => read(text), { name: 'ConfigurationError', message }));
  }
});

describe('arguments that are not valid', () => {
  const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' };
  const list = (...defaultConstraints: readonly object[]) => ({ defaultingType: 'List', defaultConstraints });
  const fit = (scoringStrategy: object) => ({ scoringStrategy });
  const ratio = (...shape: readonly object[]) =>
    fit({ type: 'RequestedToCapacityRatio', requestedToCapacityRatio: { shape } });
  for (const [name, value, message] of [
    [
      'DefaultPreemption',
      { minCandidateNodesPercentage: 101 },
      /Percentage: Invalid value: 101: not in valid range \[0, 100\]$/,
    ],
    [
      'DefaultPreemption',
      { minCandidateNodesAbsolute: -1 },
      /Absolute: Invalid value: -1: not in valid range \[0, inf\)$/,
    ],
    ['DynamicResources', { filterTimeout: '-1s' }, /filterTimeout: Invalid value: "-1s": must be zero or positive$/],
    ['DynamicResources', { bindingTimeout: '0s' }, /bindingTimeout: Invalid value: "0s": must be at least 1 second$/],
    ['InterPodAffinity', { hardPodAffinityWeight: 101 }, /Invalid value: 101: not in valid range \[0, 100\]$/],
    [
      'NodeAffinity',
      {
        addedAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Likes' }] } },
          ],
        },
      },
      /preferredDuringSchedulingIgnoredDuringExecution\[0\]\.matchExpressions\[0\]\.operator: Invalid value: "Likes"/,
    ],
    [
      'NodeResourcesBalancedAllocation',
      { resources: [{ name: 'cpu' }, { name: 'cpu' }] },
      /resources\[1\]\.name: Duplicate value: "cpu"$/,
    ],
    [
      'NodeResourcesBalancedAllocation',
      { resources: [{ name: 'cpu', weight: 2 }] },
      /weight: Invalid value: 2: must be 1$/,
    ],
    ['NodeResourcesFit', { ignoredResources: ['a b'] }, /ignoredResources\[0\]: Invalid value: "a b"/],
    ['NodeResourcesFit', { ignoredResourceGroups: ['a.b/c'] }, /resource group name can't contain '\/'/],
    [
      'NodeResourcesFit',
      fit({ type: 'LeastAllocated', resources: [{ name: 'cpu', weight: 101 }] }),
      /resource weight of cpu not in valid range \(0, 100\]$/,
    ],
    [
      'NodeResourcesFit',
      fit({ type: 'LeastAllocated', requestedToCapacityRatio: { shape } }),
      /Forbidden: must be nil when type/,
    ],
    ['NodeResourcesFit', fit({ type: 'RequestedToCapacityRatio' }), /Required value: must be specified when type is/],
    ['NodeResourcesFit', ratio(), /shape: Required value: at least one point must be specified$/],
    [
      'NodeResourcesFit',
      ratio({ utilization: 101, score: 1 }),
      /utilization: Invalid value: 101: not in valid range \[0, 100\]$/,
    ],
    [
      'NodeResourcesFit',
      ratio({ utilization: 1, score: 11 }),
      /score: Invalid value: 11: not in valid range \[0, 10\]$/,
    ],
    ['PodTopologySpread', { defaultingType: 'Some' }, /Unsupported value: "Some": supported values: "System", "List"$/],
    ['PodTopologySpread', list({ ...spread, maxSkew: 0 }), /maxSkew: Invalid value: 0: not in valid range \(0, inf\)$/],
    ['PodTopologySpread', list({ ...spread, topologyKey: '' }), /topologyKey: Required value: can not be empty$/],
    [
      'PodTopologySpread',
      list({ ...spread, whenUnsatisfiable: '' }),
      /whenUnsatisfiable: Required value: can not be empty$/,
    ],
    ['PodTopologySpread', list({ ...spread, whenUnsatisfiable: 'Cry' }), /whenUnsatisfiable: Unsupported value: "Cry"/],
    ['PodTopologySpread', list({ ...spread, labelSelector: {} }), /Forbidden: constraint must not define a selector/],
    [
      'PodTopologySpread',
      list(spread, spread),
      /defaultConstraints\[1\]: Duplicate value: "\{zone, ScheduleAnyway\}"$/,
    ],
    [
      'VolumeBinding',
      { bindTimeoutSeconds: -1 },
      /Invalid value: -1: invalid BindTimeoutSeconds, should not be a negative value$/,
    ],
    [
      'VolumeBinding',
      { shape },
      /unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring$/,
    ],
  ] as const) {
    it(`of ${name}: ${JSON.stringify(value)}`, () =>
      assert.throws(() => read(args(name, value)), { name: 'ConfigurationError', message }));
  }
});

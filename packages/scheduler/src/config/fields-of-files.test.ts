/** Each field of a file has an effect, or a warning names it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXTENSION_POINTS, type ExtensionPoint, type Plugin, success } from '../framework/index.js';
import { idleBinder, noDevices } from '../testing/index.js';
import { makeProfiles, type OwnPlugins, readSchedulerConfiguration } from './index.js';

const head = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
const parts = { write: async () => undefined, binder: idleBinder, devices: noDevices };

/** Takes part at every point. */
const everywhere: Plugin = {
  name: 'Everywhere',
  preEnqueue: () => success,
  compare: () => 0,
  preFilter: () => ({ status: success }),
  filter: () => success,
  postFilter: () => ({ status: success }),
  preScore: () => success,
  score: () => 0,
  reserve: () => success,
  permit: () => ({ status: success }),
  preBind: async () => success,
  bind: async () => success,
  postBind: () => undefined,
};
const plugins: OwnPlugins = { Everywhere: () => everywhere };

const read = (file: object) => readSchedulerConfiguration(JSON.stringify({ ...head, ...file }), { plugins });
const methodOf = (point: ExtensionPoint): keyof Plugin => (point === 'queueSort' ? 'compare' : point);

describe('plugins at each extension point', () => {
  for (const point of EXTENSION_POINTS) {
    it(`replace those of ${point}, and no others`, () => {
      const set = { disabled: [{ name: '*' }], enabled: [{ name: 'Everywhere' }] };
      const { configuration } = read({ profiles: [{ plugins: { [point]: set } }] });
      const [profile] = makeProfiles(configuration, parts).values();
      const places = EXTENSION_POINTS.filter((each) => profile?.with(methodOf(each)).includes(everywhere));
      assert.deepEqual(places, [point]);
      assert.deepEqual(profile?.with(methodOf(point)), [everywhere]);
    });
  }
});

describe('a field that has no effect', () => {
  const expected: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    leaderElection: {
      leaderElect: true,
      leaseDuration: '15s',
      renewDeadline: '10s',
      retryPeriod: '2s',
      resourceLock: 'leases',
      resourceName: 'a',
      resourceNamespace: 'b',
    },
    clientConnection: { kubeconfig: '/a', acceptContentTypes: 'a', contentType: 'b' },
  };
  for (const [struct, fields] of Object.entries(expected)) {
    for (const [field, value] of Object.entries(fields)) {
      it(`causes a warning: ${struct}.${field}`, () =>
        assert.deepEqual(read({ [struct]: { [field]: value } }).warnings, [`${struct}.${field} has no effect`]));
    }
  }
  for (const [field, value] of [
    ['parallelism', 1],
    ['enableProfiling', true],
    ['enableContentionProfiling', true],
    ['delayCacheUntilActive', true],
  ] as const) {
    it(`causes a warning: ${field}`, () =>
      assert.deepEqual(read({ [field]: value }).warnings, [`${field} has no effect`]));
  }

  it('causes a warning: the filterTimeout of DynamicResources', () => {
    const pluginConfig = [{ name: 'DynamicResources', args: { filterTimeout: '5s' } }];
    const { warnings } = read({ profiles: [{ pluginConfig }] });
    assert.equal(warnings.length, 1);
    assert.match(warnings.join(), /^filterTimeout of DynamicResources has no effect/);
  });
});

describe('arguments reach their plugin with every field', () => {
  const requirement = { key: 'disk', operator: 'In', values: ['ssd'] };
  const term = {
    matchExpressions: [requirement],
    matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n1'] }],
  };
  for (const [name, args, expected] of [
    [
      'NodeAffinity',
      {
        addedAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 7, preference: term }],
        },
      },
      undefined,
    ],
    ['InterPodAffinity', { hardPodAffinityWeight: 5, ignorePreferredTermsOfExistingPods: true }, undefined],
    ['DefaultPreemption', { minCandidateNodesPercentage: 20, minCandidateNodesAbsolute: 30 }, undefined],
    [
      'PodTopologySpread',
      {
        defaultingType: 'List',
        defaultConstraints: [
          {
            maxSkew: 2,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            minDomains: 3,
            nodeAffinityPolicy: 'Ignore',
            nodeTaintsPolicy: 'Honor',
            matchLabelKeys: ['hash'],
          },
        ],
      },
      'defaultConstraints',
    ],
  ] as const) {
    it(name, () => {
      const [profile] = read({ profiles: [{ pluginConfig: [{ name, args }] }] }).configuration.profiles;
      const wanted = expected === undefined ? args : { [expected]: args[expected] };
      assert.deepEqual(profile?.args[name], wanted);
    });
  }
});

it('HTTPS of an extender without an authority accepts any certificate', () => {
  const { configuration } = read({ extenders: [{ urlPrefix: 'https://x', enableHTTPS: true }] });
  assert.equal(configuration.extenders[0]?.tls.insecure, true);
});

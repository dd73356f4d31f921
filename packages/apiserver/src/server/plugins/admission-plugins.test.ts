import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { resources } from '@binnacle/api/table';
import { formatGroupResource } from '@binnacle/apimachinery/meta';
import { type AdmissionPlugin, pluginsFor } from '../../admission/index.js';
import { Stores } from '../../registry/index.js';
import { type AdmissionChoice, admissionPlugins, type AdmissionSources } from './admission-plugins.js';
import { StoredQuotas } from './stored-quotas.js';
import { admissionObjects } from '../sources/admission-objects.js';

function plugins(choice: AdmissionChoice, given: Partial<AdmissionSources> = {}): AdmissionPlugin[] {
  const none = () => undefined;
  const sources = {
    objects: admissionObjects(new Stores(none)),
    namespaces: { namespace: async () => undefined, createNamespace: async () => undefined },
    policies: {
      mutating: { name: 'MutatingAdmissionPolicy', handles: () => true },
      validating: { name: 'ValidatingAdmissionPolicy', handles: () => true },
    },
    webhooks: {
      mutating: { name: 'MutatingAdmissionWebhook', handles: () => true },
      validating: { name: 'ValidatingAdmissionWebhook', handles: () => true },
    },
    quotas: new StoredQuotas(none),
    authorizer: { maySign: async () => true, mayRequestAudience: async () => true },
    owners: { denial: async () => undefined, mayFinalizeAll: async () => false, resourceOf: () => undefined },
    retries: { pause: async () => undefined, random: seededRandom(1) },
    clock: new VirtualClock(),
    settings: {},
    podSecurity: { evaluated: () => undefined, exempt: () => undefined, invalidLabels: () => undefined },
    imageReviewer: undefined,
    ...given,
  };
  return admissionPlugins(sources, choice);
}

function names(choice: AdmissionChoice): string[] {
  return plugins(choice).map(({ name }) => name);
}

test('a plugin runs only for its own resources', () => {
  const optional =
    'AlwaysPullImages,DenyServiceExternalIPs,EventRateLimit,ExtendedResourceToleration,ImagePolicyWebhook,LimitPodHardAntiAffinityTopology,PodNodeSelector,PodTolerationRestriction';
  const configured = {
    settings: { eventLimits: [] },
    imageReviewer: { allowsOnFailure: false, review: async () => ({ error: '' }) },
  };
  const all = plugins({ enableAdmissionPlugins: optional }, configured);
  const known = new Set(resources().map((facts) => formatGroupResource(facts)));
  for (const { name, resources: own = [] } of all) {
    for (const resource of own) assert.ok(known.has(resource), `${name}: ${resource}`);
  }
  const of = (group: string, resource: string) => pluginsFor(all, { group, resource }).map(({ name }) => name);
  const last = [
    'MutatingAdmissionPolicy',
    'MutatingAdmissionWebhook',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionWebhook',
    'ResourceQuota',
  ];
  assert.deepEqual(of('', 'configmaps'), ['NamespaceLifecycle', ...last]);
  assert.deepEqual(of('apps', 'deployments'), ['NamespaceLifecycle', 'PodSecurity', ...last]);
  assert.ok(of('', 'pods').includes('ServiceAccount'));
});

test('plugins run in upstream order, and can be disabled by name', () => {
  const all = names({});
  assert.deepEqual(all.slice(0, 4), ['NamespaceLifecycle', 'LimitRanger', 'ServiceAccount', 'NodeRestriction']);
  assert.equal(all.at(-1), 'ResourceQuota');
  assert.deepEqual(
    names({ disableAdmissionPlugins: 'ServiceAccount, ResourceQuota' }),
    all.filter((name) => name !== 'ServiceAccount' && name !== 'ResourceQuota'),
  );
});

test('enabling a plugin that is on, or disabling one that is off, changes nothing', () => {
  const list = 'NamespaceLifecycle,MutatingAdmissionWebhook,ResourceQuota';
  assert.deepEqual(names({ enableAdmissionPlugins: list }), names({}));
  assert.deepEqual(names({ enableAdmissionPlugins: 'NodeRestriction' }), names({}));
  assert.deepEqual(names({ disableAdmissionPlugins: 'AlwaysPullImages' }), names({}));
});

test('a plugin that is off by default takes its place in the order when it is enabled', () => {
  const added = names({
    enableAdmissionPlugins:
      'AlwaysPullImages,AlwaysDeny,NamespaceAutoProvision,PodNodeSelector,PodTolerationRestriction',
  });
  assert.equal(added[0], 'NamespaceAutoProvision');
  assert.equal(added.at(-1), 'AlwaysDeny');
  assert.equal(added.indexOf('AlwaysPullImages'), added.indexOf('TaintNodesByCondition') + 1);
  assert.equal(added.indexOf('PodNodeSelector'), added.indexOf('PodSecurity') + 1);
  assert.equal(added.indexOf('PodTolerationRestriction'), added.indexOf('DefaultTolerationSeconds') + 1);
});

for (const [choice, message] of [
  [{ enableAdmissionPlugins: 'Nonsense' }, /--enable-admission-plugins: there is no admission plugin "Nonsense"/],
  [{ disableAdmissionPlugins: 'constructor' }, /--disable-admission-plugins: there is no/],
  [{ enableAdmissionPlugins: 'Priority', disableAdmissionPlugins: 'Priority' }, /both name "Priority"/],
  [{ enableAdmissionPlugins: 'EventRateLimit' }, /"EventRateLimit": limits: Invalid value: \[\]: must not be empty/],
  [{ enableAdmissionPlugins: 'ImagePolicyWebhook' }, /"ImagePolicyWebhook": no config specified/],
] as const) {
  test(`${JSON.stringify(choice)} is refused`, () => {
    assert.throws(() => names(choice), message);
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAdmissionConfiguration } from './index.js';

const service = { url: 'https://images.example', credentials: () => ({}) };
const users = { users: new Map(), currentUser: undefined };

/** Reads a configuration whose other files have these texts. */
const read = (configuration: object, files: Readonly<Record<string, string>> = {}) =>
  readAdmissionConfiguration(JSON.stringify(configuration), {
    async text(path) {
      const text = files[path];
      if (text === undefined) throw new Error(`${path}: no such file`);
      return text;
    },
    service: async (path) => ({ ...service, url: `https://${path}` }),
    users: async (path) => ({ ...users, currentUser: path }),
  });

const file = (...plugins: object[]) => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AdmissionConfiguration',
  plugins,
});
const plugin = (name: string, apiVersion: string, kind: string, fields: object) =>
  file({ name, configuration: { apiVersion, kind, ...fields } });
const podSecurity = (fields: object, version = 'v1') =>
  plugin('PodSecurity', `pod-security.admission.config.k8s.io/${version}`, 'PodSecurityConfiguration', fields);
const eventLimits = (...limits: object[]) =>
  plugin('EventRateLimit', 'eventratelimit.admission.k8s.io/v1alpha1', 'Configuration', { limits });
const limitedResources = (...resources: object[]) =>
  plugin('ResourceQuota', 'apiserver.config.k8s.io/v1', 'ResourceQuotaConfiguration', { limitedResources: resources });
const tolerations = (fields: object) =>
  plugin('PodTolerationRestriction', 'podtolerationrestriction.admission.k8s.io/v1alpha1', 'Configuration', fields);
const images = (imagePolicy: object) => file({ name: 'ImagePolicyWebhook', configuration: { imagePolicy } });
const webhooks = (fields: object, name = 'ValidatingAdmissionWebhook') =>
  plugin(name, 'apiserver.config.k8s.io/v1', 'WebhookAdmissionConfiguration', fields);

// The tables of upstream's tests of each configuration gave the ideas.
describe('readAdmissionConfiguration', () => {
  it('reads PodSecurity, with its defaults', async () => {
    const { settings } = await read(
      podSecurity({
        defaults: {
          enforce: 'baseline',
          'enforce-version': 'v1.30',
          audit: 'restricted',
          warn: 'restricted',
          'warn-version': 'v1.31',
        },
        exemptions: { usernames: ['jane'], namespaces: ['kube-system'], runtimeClasses: ['vm'] },
      }),
    );
    assert.deepEqual(settings?.podSecurity, {
      defaults: {
        enforce: { level: 'baseline', minor: 30 },
        audit: { level: 'restricted', minor: Infinity },
        warn: { level: 'restricted', minor: 31 },
      },
      exemptions: {
        usernames: new Set(['jane']),
        namespaces: new Set(['kube-system']),
        runtimeClasses: new Set(['vm']),
      },
    });
    const privileged = { level: 'privileged', minor: Infinity };
    const { settings: bare } = await read(podSecurity({}, 'v1beta1'));
    assert.deepEqual(bare?.podSecurity?.defaults, { enforce: privileged, audit: privileged, warn: privileged });
  });

  it('reads every other plugin', async () => {
    assert.deepEqual(
      (await read(eventLimits({ type: 'Server', qps: 5, burst: 9 }, { type: 'User', qps: 1, burst: 1, cacheSize: 7 })))
        .settings,
      {
        eventLimits: [
          { type: 'Server', qps: 5, burst: 9, cacheSize: 4096 },
          { type: 'User', qps: 1, burst: 1, cacheSize: 7 },
        ],
      },
    );
    const scope = { scopeName: 'PriorityClass', operator: 'In', values: ['high'] };
    const rule = { apiGroup: 'apps', resource: 'deployments', matchContains: ['count/'], matchScopes: [scope] };
    assert.deepEqual((await read(limitedResources(rule))).settings?.limitedResources, [
      { resource: { group: 'apps', resource: 'deployments' }, matchContains: ['count/'], matchScopes: [scope] },
    ]);
    const selectors = { clusterDefaultNodeSelector: 'env=dev', team: 'disk=ssd' };
    const nodeSelector = { name: 'PodNodeSelector', configuration: { podNodeSelectorPluginConfig: selectors } };
    assert.deepEqual((await read(file(nodeSelector))).settings?.nodeSelectors, new Map(Object.entries(selectors)));
    const toleration = { key: 'a', operator: 'Exists' };
    const other = { key: 'b', operator: 'Equal', value: 'c', effect: 'NoExecute', tolerationSeconds: 5 };
    for (const lists of [
      { default: [toleration], whitelist: [other] },
      { default: [], whitelist: [toleration] },
    ]) {
      assert.deepEqual((await read(tolerations(lists))).settings?.tolerations, lists);
    }
    assert.deepEqual((await read(tolerations({}))).settings?.tolerations, { default: [], whitelist: [] });
    assert.equal((await read(webhooks({ kubeConfigFile: '/hooks' }))).validatingUsers?.currentUser, '/hooks');
    const mutating = webhooks({ kubeConfigFile: '/hooks' }, 'MutatingAdmissionWebhook');
    assert.equal((await read(mutating)).mutatingUsers?.currentUser, '/hooks');
  });

  it('reads the service of ImagePolicyWebhook, with its units and defaults', async () => {
    const times = async (given: object) => {
      const { imagePolicy } = await read(images({ kubeConfigFile: 'hook', ...given }));
      assert.equal(imagePolicy?.service.url, 'https://hook');
      return [imagePolicy?.allowMs, imagePolicy?.denyMs, imagePolicy?.backoffMs, imagePolicy?.defaultAllow];
    };
    assert.deepEqual(await times({}), [300_000, 30_000, 500, false]);
    assert.deepEqual(await times({ allowTTL: 30, denyTTL: 40, retryBackoff: 20, defaultAllow: true }), [
      30_000,
      40_000,
      20,
      true,
    ]);
    assert.deepEqual(await times({ allowTTL: -1, denyTTL: -1, retryBackoff: -1 }), [0, 0, 0, false]);
  });

  it('reads a plugin from a file, unless it is inline, and only its first entry', async () => {
    const inFile = JSON.stringify({
      apiVersion: 'pod-security.admission.config.k8s.io/v1',
      kind: 'PodSecurityConfiguration',
      defaults: { enforce: 'restricted' },
    });
    const levelOf = async (...plugins: object[]) =>
      (await read(file(...plugins), { 'pod-security.yaml': inFile })).settings?.podSecurity?.defaults.enforce.level;
    const fromFile = { name: 'PodSecurity', path: 'pod-security.yaml' };
    const [inline] = podSecurity({ defaults: { enforce: 'baseline' } }).plugins;
    assert.ok(inline !== undefined);
    assert.equal(await levelOf(fromFile), 'restricted');
    assert.equal(await levelOf({ ...fromFile, ...inline }), 'baseline');
    assert.equal(await levelOf(inline, fromFile), 'baseline');
    assert.equal(await levelOf({ name: 'PodSecurity' }), undefined);
    await assert.rejects(read(file({ name: 'PodSecurity', path: 'absent' })), {
      message: 'couldn\'t init admission plugin "PodSecurity": absent: no such file',
    });
  });

  it('reads the two older files without a kind', async () => {
    const read1 = await read({ imagePolicy: { kubeConfigFile: 'hook' } });
    assert.equal(read1.imagePolicy?.service.url, 'https://hook');
    const read2 = await read({ podNodeSelectorPluginConfig: { team: 'a=b' } });
    assert.deepEqual(read2.settings?.nodeSelectors, new Map([['team', 'a=b']]));
  });

  const level = 'must be one of privileged, baseline, restricted';
  for (const [name, configuration, message] of [
    ['an unknown kind', { apiVersion: 'v1', kind: 'Pod' }, /^no kind "Pod" is registered for version "v1"/],
    ['no kind', {}, /^Object 'Kind' is missing$/],
    ['an unknown field', { ...file(), plugin: [] }, /^strict decoding error: unknown field "plugin"$/],
    ['an unknown plugin', file({ name: 'PodSecurty' }), /"PodSecurty": the plugin does not exist/],
    [
      'a field that a plugin lacks',
      podSecurity({ default: {} }),
      /"PodSecurity": strict decoding error: unknown field "default"$/,
    ],
    ['a level', podSecurity({ defaults: { warn: 'x' } }), new RegExp(`: defaults.warn: Invalid value: "x": ${level}$`)],
    [
      'a version',
      podSecurity({ defaults: { 'audit-version': '1' } }),
      /defaults.audit-version: Invalid value: "1": must be "latest" or "v1.x"$/,
    ],
    [
      'a namespace',
      podSecurity({ exemptions: { namespaces: ['A'] } }),
      /exemptions.namespaces\[0\]: Invalid value: "A"/,
    ],
    [
      'a class twice',
      podSecurity({ exemptions: { runtimeClasses: ['a', 'a'] } }),
      /exemptions.runtimeClasses\[1\]: Duplicate value: "a"$/,
    ],
    [
      'an empty user',
      podSecurity({ exemptions: { usernames: [''] } }),
      /exemptions.usernames\[0\]: Invalid value: "": username must not be empty$/,
    ],
    ['no limits', eventLimits(), /limits: Invalid value: \[\]: must not be empty$/],
    ['a type of limit', eventLimits({ type: 'x', qps: 1, burst: 1 }), /limits\[0\].type: Unsupported value: "x"/],
    ['a rate', eventLimits({ type: 'Server', burst: 1 }), /limits\[0\].qps: Invalid value: 0: must be positive$/],
    [
      'a burst',
      eventLimits({ type: 'Server', qps: 1, burst: -1 }),
      /limits\[0\].burst: Invalid value: -1: must be positive$/,
    ],
    [
      'a cache',
      eventLimits({ type: 'User', qps: 1, burst: 1, cacheSize: -1 }),
      /limits\[0\].cacheSize: Invalid value: -1: must not be negative$/,
    ],
    ['no resource', limitedResources({}), /limitedResources\[0\].resource: Required value$/],
    [
      'a toleration',
      tolerations({ whitelist: [{ key: 'a b' }] }),
      /invalid config: \[podtolerationrestriction.whitelist\[0\].key: /,
    ],
    [
      'a selector',
      { podNodeSelectorPluginConfig: { team: 'a' } },
      /podNodeSelectorPluginConfig\[team\]: invalid selector: \[a\]$/,
    ],
    ['a time', images({ kubeConfigFile: 'x', allowTTL: 1801 }), /valid value is between 1s and 30m0s, got 30m1s$/],
    ['no kubeconfig', images({}), /imagePolicy.kubeConfigFile names no file$/],
    [
      'a relative kubeconfig',
      webhooks({ kubeConfigFile: 'x' }),
      /kubeConfigFile: Invalid value: "x": must be an absolute file path$/,
    ],
    [
      'manifests',
      webhooks({ staticManifestsDir: '/x' }),
      /staticManifestsDir: Forbidden: staticManifestsDir requires the Manifest/,
    ],
    [
      'policies in manifests',
      plugin('ValidatingAdmissionPolicy', 'apiserver.config.k8s.io/v1', 'ValidatingAdmissionPolicyConfiguration', {
        staticManifestsDir: '/x',
      }),
      /staticManifestsDir: Forbidden: /,
    ],
  ] as const) {
    it(`refuses ${name}`, () => assert.rejects(read(configuration), { name: 'ConfigurationError', message }));
  }
});

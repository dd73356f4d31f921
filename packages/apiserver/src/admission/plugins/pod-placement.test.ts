import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { limitPodHardAntiAffinityTopology, podNodeSelector, podTolerationRestriction } from './index.js';
import { admit, object, type Spec, validate } from './request.testing.js';

const inNamespace = (annotations?: Record<string, string>) => ({
  namespace: async (): Promise<KubernetesObject> => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'default', ...(annotations === undefined ? {} : { annotations }) },
  }),
});
const nowhere = { namespace: async () => undefined };
const pod = (spec: Spec) => object('Pod', { containers: [{ name: 'c' }], ...spec });

describe('LimitPodHardAntiAffinityTopology', () => {
  const spread = (topologyKey: string) =>
    pod({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } } });

  it('refuses a required anti-affinity over zones', async () => {
    await validate(limitPodHardAntiAffinityTopology, 'pods', spread('kubernetes.io/hostname'));
    await assert.rejects(validate(limitPodHardAntiAffinityTopology, 'pods', spread('zone')), {
      code: 403,
      message:
        'pods "a" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
    });
    await validate(limitPodHardAntiAffinityTopology, 'pods', spread('zone'), { subresource: 'status' });
  });
});

// Upstream's table is in `plugin/pkg/admission/podnodeselector/admission_test.go`.
describe('PodNodeSelector', () => {
  const ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector';

  it('adds the selector of the namespace, or else that of the cluster', async () => {
    const cluster = new Map([['clusterDefaultNodeSelector', 'env=dev']]);
    const selected = async (annotations: Record<string, string> | undefined, spec: Spec) =>
      (await admit(podNodeSelector(inNamespace(annotations), cluster), 'pods', pod(spec)))['nodeSelector'];
    assert.deepEqual(await selected(undefined, {}), { env: 'dev' });
    assert.deepEqual(await selected({ [ANNOTATION]: 'env=test' }, { nodeSelector: { disk: 'ssd' } }), {
      env: 'test',
      disk: 'ssd',
    });
    assert.deepEqual(await selected({ [ANNOTATION]: '' }, {}), undefined);
  });

  it('refuses a pod whose selector conflicts', async () => {
    const plugin = podNodeSelector(inNamespace({ [ANNOTATION]: 'env=test' }), new Map());
    const message = 'pods "a" is forbidden: pod node label selector conflicts with its namespace node label selector';
    await assert.rejects(admit(plugin, 'pods', pod({ nodeSelector: { env: 'dev' } })), { code: 403, message });
    await assert.rejects(validate(plugin, 'pods', pod({ nodeSelector: { env: 'dev' } })), { code: 403, message });
  });

  it('refuses labels that the namespace does not list', async () => {
    const plugin = podNodeSelector(inNamespace(), new Map([['default', 'env=dev,disk=ssd']]));
    await validate(plugin, 'pods', pod({ nodeSelector: { env: 'dev' } }));
    await assert.rejects(validate(plugin, 'pods', pod({ nodeSelector: { env: 'test' } })), {
      code: 403,
      message: 'pods "a" is forbidden: pod node label selector labels conflict with its namespace whitelist',
    });
  });

  it('answers 500 for a wrong annotation and for a missing namespace', async () => {
    const wrong = podNodeSelector(inNamespace({ [ANNOTATION]: 'env' }), new Map());
    await assert.rejects(admit(wrong, 'pods', pod({})), { code: 500, message: 'invalid selector: [env]' });
    await assert.rejects(admit(podNodeSelector(nowhere, new Map()), 'pods', pod({})), {
      code: 500,
      message: 'Internal error occurred: namespace default does not exist',
    });
  });
});

// Upstream's table is in `plugin/pkg/admission/podtolerationrestriction/admission_test.go`.
describe('PodTolerationRestriction', () => {
  const DEFAULTS = 'scheduler.alpha.kubernetes.io/defaultTolerations';
  const WHITELIST = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
  const own = { key: 'own', operator: 'Exists' };
  const shared = { key: 'shared', operator: 'Exists' };
  const none = { default: [], whitelist: [] };
  const list = (...tolerations: object[]) => JSON.stringify(tolerations);
  const tolerated = async (plugin: ReturnType<typeof podTolerationRestriction>, spec: Spec, more = {}) =>
    (await admit(plugin, 'pods', pod(spec), more))['tolerations'];

  it('adds the tolerations of the namespace, or else of the cluster, to new pods', async () => {
    const settings = { default: [shared], whitelist: [] };
    const [unset, set, empty] = [undefined, { [DEFAULTS]: list(own) }, { [DEFAULTS]: '' }].map((annotations) =>
      podTolerationRestriction(inNamespace(annotations), settings),
    );
    assert.ok(unset !== undefined && set !== undefined && empty !== undefined);
    assert.deepEqual(await tolerated(unset, {}), [shared]);
    assert.deepEqual(await tolerated(set, { tolerations: [shared] }), [shared, own]);
    assert.equal(await tolerated(empty, {}), undefined);
    assert.equal(await tolerated(set, {}, { operation: 'UPDATE' }), undefined);
  });

  it('lets pods that are not best-effort tolerate memory pressure', async () => {
    const containers = [{ name: 'c', resources: { requests: { cpu: '1' } } }];
    assert.deepEqual(await tolerated(podTolerationRestriction(inNamespace(), none), { containers }), [
      { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
    ]);
  });

  it('refuses a toleration that the namespace, or else the cluster, does not list', async () => {
    const ofNamespace = podTolerationRestriction(inNamespace({ [WHITELIST]: list(own) }), none);
    await validate(ofNamespace, 'pods', pod({ tolerations: [own] }));
    const what = 'pod tolerations (possibly merged with namespace default tolerations) conflict with its';
    await assert.rejects(validate(ofNamespace, 'pods', pod({ tolerations: [shared] })), {
      code: 500,
      message: `${what} namespace whitelist`,
    });
    const ofCluster = podTolerationRestriction(inNamespace(), { default: [], whitelist: [own] });
    await assert.rejects(admit(ofCluster, 'pods', pod({ tolerations: [shared] })), {
      message: `${what} cluster whitelist`,
    });
  });

  it('answers 500 for an annotation that is not a list of tolerations', async () => {
    for (const text of ['{', '{}', '[1]', '[{"key":1}]']) {
      const plugin = podTolerationRestriction(inNamespace({ [DEFAULTS]: text }), none);
      await assert.rejects(admit(plugin, 'pods', pod({})), { code: 500 }, text);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { podTolerationRestriction } from './index.js';
import { admit, object, type Spec, validate } from './request.testing.js';

const inNamespace = (annotations?: Record<string, string>) => ({
  namespace: async (): Promise<KubernetesObject> => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'default', ...(annotations === undefined ? {} : { annotations }) },
  }),
});

const pod = (spec: Spec) => object('Pod', { containers: [{ name: 'c' }], ...spec });

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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { podNodeSelector } from './index.js';
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

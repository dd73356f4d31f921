import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes } from '../plugin.js';
import { nodeDeclaredFeatureValidator, podResizeValidator } from './index.js';
import { object, type Spec, validate } from './request.testing.js';

const node = (name: string, os: string, ...declaredFeatures: string[]): KubernetesObject => ({
  ...object('Node', {}, { name, labels: { 'kubernetes.io/os': os } }),
  status: { allocatable: { cpu: '2', memory: '1500M' }, declaredFeatures },
});
const POD_LEVEL = 'InPlacePodLevelResourcesVerticalScaling';
const INIT = 'InPlacePodVerticalScalingInitContainers';
const nodes = [node('plain', 'linux'), node('modern', 'linux', POD_LEVEL, INIT), node('panes', 'windows')];
const source = { node: async (name: string) => nodes.find(({ metadata }) => metadata.name === name) };

const resources = (cpu: string, memory = '1G'): Spec => ({ requests: { cpu, memory } });
const pod = (nodeName: string | undefined, own: Spec, more: Spec = {}) =>
  object('Pod', {
    ...(nodeName === undefined ? {} : { nodeName }),
    containers: [{ name: 'c', resources: own }],
    ...more,
  });

const update = (plugin: ReturnType<typeof podResizeValidator>, given: KubernetesObject, old: KubernetesObject) => {
  const attributes: Partial<AdmissionAttributes> = { operation: 'UPDATE', subresource: 'resize', oldObject: old };
  return validate(plugin, 'pods', given, attributes);
};

describe('PodResizeValidator', () => {
  const plugin = podResizeValidator(source);
  const grow = (nodeName: string | undefined, to: Spec, more?: Spec) =>
    update(plugin, pod(nodeName, to, more), pod(nodeName, resources('1')));

  it('allows growth up to the capacity of the node', async () => {
    await grow('plain', resources('2', '1500M'));
    await grow(undefined, resources('200'));
    await update(plugin, pod('plain', resources('200')), pod('plain', resources('200')));
    const less = "node didn't have enough allocatable resources: ";
    for (const [to, more, why] of [
      [resources('2001m'), {}, `${less}cpu, requested: 2001, allocatable: 2000`],
      [resources('1', '1501M'), {}, `${less}memory, requested: 1501000000, allocatable: 1500000000`],
      [resources('1500m'), { overhead: { cpu: '1' } }, `${less}cpu, requested: 2500, allocatable: 2000`],
      [
        resources('3', '2G'),
        {},
        `${less}cpu, requested: 3000, allocatable: 2000; memory, requested: 2000000000, allocatable: 1500000000`,
      ],
    ] as const) {
      await assert.rejects(grow('plain', to, more), (error) => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, 403);
        assert.equal(error.message, `pods "a" is forbidden: ${why}`);
        assert.deepEqual(error.status.details?.causes, [{ reason: 'NodeCapacity' }]);
        return true;
      });
    }
  });

  it('requires an existing node that runs Linux', async () => {
    await assert.rejects(grow('gone', resources('2')), { message: 'pods "a" is forbidden: node "gone" not found' });
    await assert.rejects(grow('panes', resources('2')), {
      message: 'pods "a" is forbidden: pod resize is only supported on linux nodes, node "panes" is "windows"',
    });
  });
});

describe('NodeDeclaredFeatureValidator', () => {
  const plugin = nodeDeclaredFeatureValidator(source);
  const init = (own: Spec, policy?: string) => ({
    initContainers: [{ name: 'i', resources: own, ...(policy === undefined ? {} : { restartPolicy: policy }) }],
  });
  const change = (nodeName: string | undefined, before: Spec, after: Spec) =>
    update(plugin, pod(nodeName, {}, after), pod(nodeName, {}, before));
  const lacks = (features: string) => ({
    code: 403,
    message: `pods "a" is forbidden: pod update requires features ${features} which are not available on node "plain"`,
  });

  it('requires a node that declares the features of a resize', async () => {
    const whole = [{ resources: resources('1') }, { resources: resources('2') }] as const;
    const starting = [init(resources('1')), init(resources('2'))] as const;
    await assert.rejects(change('plain', ...whole), lacks(POD_LEVEL));
    await assert.rejects(change('plain', ...starting), lacks(INIT));
    const both = lacks(`${POD_LEVEL}, ${INIT}`);
    await assert.rejects(change('plain', { ...whole[0], ...starting[0] }, { ...whole[1], ...starting[1] }), both);
    await change('modern', ...whole);
    await change('modern', ...starting);
    await change(undefined, ...whole);
  });

  it('ignores resizes that no feature guards', async () => {
    await change('plain', init(resources('1'), 'Always'), init(resources('2'), 'Always'));
    await update(plugin, pod('plain', resources('2')), pod('plain', resources('1')));
  });
});

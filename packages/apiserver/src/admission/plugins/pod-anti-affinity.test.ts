import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limitPodHardAntiAffinityTopology } from './index.js';
import { object, type Spec, validate } from './request.testing.js';

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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RuntimeClass } from '@binnacle/api/types/node-v1';
import { runtimeClass } from './index.js';
import { admit, object, type Spec, validate } from './request.testing.js';

describe('RuntimeClass', () => {
  const found: RuntimeClass = {
    metadata: { name: 'sandbox' },
    handler: 'h',
    overhead: { podFixed: { cpu: '100m' } },
    scheduling: { nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'sandbox', operator: 'Exists' }] },
  };
  const plugin = runtimeClass({ runtimeClass: async (name) => (name === 'sandbox' ? found : undefined) });
  const pod = (spec: Spec) => object('Pod', spec);

  it('sets the overhead and the node selector', async () => {
    const tolerations = [
      { key: 'sandbox', operator: 'Equal', value: 'x' },
      { key: 'other', operator: 'Exists' },
    ];
    const given = pod({ runtimeClassName: 'sandbox', nodeSelector: { zone: 'z' }, tolerations });
    assert.deepEqual(await admit(plugin, 'pods', given), {
      runtimeClassName: 'sandbox',
      overhead: { cpu: '100m' },
      nodeSelector: { zone: 'z', disk: 'ssd' },
      tolerations: [
        { key: 'other', operator: 'Exists' },
        { key: 'sandbox', operator: 'Exists' },
      ],
    });
    await validate(plugin, 'pods', given);
  });

  it('refuses a pod that conflicts with its class', async () => {
    await assert.rejects(admit(plugin, 'pods', pod({ runtimeClassName: 'none' })), {
      message: 'pods "a" is forbidden: pod rejected: RuntimeClass "none" not found',
    });
    await assert.rejects(admit(plugin, 'pods', pod({ runtimeClassName: 'sandbox', nodeSelector: { disk: 'hdd' } })), {
      message: /conflict: runtimeClass.scheduling.nodeSelector\[disk\] = ssd; pod.spec.nodeSelector\[disk\] = hdd$/,
    });
    await assert.rejects(admit(plugin, 'pods', pod({ runtimeClassName: 'sandbox', overhead: { cpu: '1' } })), {
      message: /Pod's Overhead doesn't match RuntimeClass's defined Overhead$/,
    });
    await admit(plugin, 'pods', pod({ runtimeClassName: 'sandbox', overhead: {} }));
    await assert.rejects(validate(plugin, 'pods', pod({ overhead: {} })), /Pod Overhead set without/);
    await assert.rejects(validate(plugin, 'pods', pod({ overhead: { cpu: '1' } })), {
      message: /Pod Overhead set without corresponding RuntimeClass defined Overhead$/,
    });
  });
});

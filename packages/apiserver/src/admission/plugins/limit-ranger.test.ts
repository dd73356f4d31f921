import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LimitRangeItem } from '@binnacle/api/types/core-v1';
import { limitRanger } from './index.js';
import { admit, object, type Spec, validate } from './request.testing.js';

const withLimits = (...limits: LimitRangeItem[]) =>
  limitRanger({ limitRanges: async () => [{ metadata: { name: 'bounds' }, spec: { limits } }] });

const pod = (requests: Record<string, string>, limits: Record<string, string> = {}, more: Spec = {}) =>
  object('Pod', { containers: [{ name: 'c', resources: { requests, limits } }], ...more });

describe('LimitRanger', () => {
  it('sets default requests and limits on containers, and records that in an annotation', async () => {
    const plugin = withLimits({
      type: 'Container',
      default: { cpu: '1', memory: '1Gi' },
      defaultRequest: { cpu: '100m' },
    });
    const given = object('Pod', {
      containers: [{ name: 'bare' }, { name: 'full', resources: { requests: { cpu: '2' }, limits: { cpu: '3' } } }],
      initContainers: [{ name: 'first' }],
    });
    const spec = await admit(plugin, 'pods', given);
    const whole = { requests: { cpu: '100m' }, limits: { cpu: '1', memory: '1Gi' } };
    assert.deepEqual(spec, {
      containers: [
        { name: 'bare', resources: whole },
        { name: 'full', resources: { requests: { cpu: '2' }, limits: { cpu: '3', memory: '1Gi' } } },
      ],
      initContainers: [{ name: 'first', resources: whole }],
    });
    assert.equal(
      given.metadata.annotations?.['kubernetes.io/limit-ranger'],
      'LimitRanger plugin set: cpu request for container bare; cpu, memory limit for container bare; ' +
        'memory limit for container full; cpu request for init container first; cpu, memory limit for init container first',
    );
  });

  it('ignores updates of an existing pod', async () => {
    const plugin = withLimits({ type: 'Container', default: { cpu: '1' }, max: { cpu: '1' } });
    const given = pod({}, { cpu: '7' });
    const update = { operation: 'UPDATE', oldObject: given } as const;
    assert.deepEqual(await admit(plugin, 'pods', structuredClone(given), update), given.spec);
    await validate(plugin, 'pods', given, update);
    await assert.rejects(validate(plugin, 'pods', given, { ...update, subresource: 'resize' }), { code: 403 });
  });

  for (const [limit, given, why] of [
    [{ min: { cpu: '1' } }, pod({}), 'minimum cpu usage per Container is 1.  No request is specified'],
    [{ min: { cpu: '1' } }, pod({ cpu: '500m' }), 'minimum cpu usage per Container is 1, but request is 500m'],
    [
      { min: { cpu: '1' } },
      pod({ cpu: '1' }, { cpu: '900m' }),
      'minimum cpu usage per Container is 1, but limit is 900m',
    ],
    [{ max: { cpu: '1' } }, pod({ cpu: '1' }), 'maximum cpu usage per Container is 1.  No limit is specified'],
    [{ max: { cpu: '1' } }, pod({}, { cpu: '2' }), 'maximum cpu usage per Container is 1, but limit is 2'],
    [
      { max: { memory: '1Gi' } },
      pod({ memory: '2Gi' }, { memory: '1Gi' }),
      'maximum memory usage per Container is 1Gi, but request is 2Gi',
    ],
    [
      { maxLimitRequestRatio: { cpu: '2' } },
      pod({ cpu: '300m' }, { cpu: '1' }),
      'cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333',
    ],
    [
      { maxLimitRequestRatio: { cpu: '2' } },
      pod({}, { cpu: '1' }),
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ],
    [
      { max: { cpu: '1' }, min: { memory: '1Gi' } },
      pod({ memory: '1Mi' }, { cpu: '2' }),
      '[minimum memory usage per Container is 1Gi, but request is 1Mi, maximum cpu usage per Container is 1, but limit is 2]',
    ],
  ] as const) {
    it(`refuses: ${why}`, () =>
      assert.rejects(validate(withLimits({ type: 'Container', ...limit }), 'pods', given), {
        code: 403,
        message: `pods "a" is forbidden: ${why}`,
      }));
  }

  it('limits the peak requests of a pod', async () => {
    const given = pod(
      { cpu: '1' },
      { cpu: '1' },
      {
        initContainers: [
          { name: 'sidecar', restartPolicy: 'Always', resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } },
          { name: 'setup', resources: { requests: { cpu: '3' }, limits: { cpu: '3' } } },
        ],
      },
    );
    await validate(withLimits({ type: 'Pod', max: { cpu: '4' } }), 'pods', given);
    await assert.rejects(validate(withLimits({ type: 'Pod', max: { cpu: '3' } }), 'pods', given), {
      message: 'pods "a" is forbidden: maximum cpu usage per Pod is 3, but limit is 4',
    });
    const whole = { ...given, spec: { ...(given.spec as Spec), resources: { limits: { cpu: '2' } } } };
    await validate(withLimits({ type: 'Pod', max: { cpu: '4' } }), 'pods', whole);
  });

  it('limits the storage requests of claims', async () => {
    const claim = (storage: string) => object('PersistentVolumeClaim', { resources: { requests: { storage } } });
    const plugin = withLimits({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } });
    await validate(plugin, 'persistentvolumeclaims', claim('2Gi'));
    await assert.rejects(validate(plugin, 'persistentvolumeclaims', claim('6Gi')), {
      message:
        'persistentvolumeclaims "a" is forbidden: maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 6Gi',
    });
    await assert.rejects(validate(plugin, 'persistentvolumeclaims', claim('1Mi')), {
      message: /minimum storage usage/,
    });
  });
});

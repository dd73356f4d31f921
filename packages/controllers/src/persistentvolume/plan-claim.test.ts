import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claim, referringTo, storageClass, volume } from './persistentvolume.testing.js';
import { type ClaimPlan, planClaim, type SeenClaim } from './plan-claim.js';
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, SELECTED_NODE } from '../volumes/index.js';

const annotated = (...keys: string[]) => ({ annotations: Object.fromEntries(keys.map((key) => [key, 'yes'])) });
const unclassed = ({ spec: { storageClassName: _, ...spec } = {}, ...others } = claim('c')) => ({ ...others, spec });

const short = (plan: ClaimPlan) => {
  if (plan.step === 'bind') return `bind ${plan.volume.metadata.name ?? ''}`;
  if ('className' in plan) return `${plan.step} ${plan.className}`;
  return 'event' in plan ? `${plan.step}: ${plan.event.reason}` : plan.step;
};

describe('planClaim', () => {
  const late = storageClass('slow', { volumeBindingMode: 'WaitForFirstConsumer' });
  const standard = storageClass('standard', {
    metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  });
  const named = { volumeName: 'a' };
  const done = annotated(BIND_COMPLETED);
  for (const [what, given, seen, expected] of [
    ['open, and a volume fits', claim('c'), { candidates: [volume('a')] }, 'bind a'],
    ['open, and no volume fits', claim('c'), {}, 'provision slow'],
    ['open, without a class', claim('c', { spec: { storageClassName: '' } }), {}, 'wait: FailedBinding'],
    ['open, without a choice, and no default', unclassed(), {}, 'wait: FailedBinding'],
    ['open, without a choice', unclassed(), { storageClasses: () => [standard] }, 'setClass standard'],
    [
      'open, with the class "", keeps it',
      claim('c', { spec: { storageClassName: '' } }),
      { storageClasses: () => [standard] },
      'wait: FailedBinding',
    ],
    [
      'of a delayed class',
      claim('c'),
      { storageClass: () => late, candidates: [volume('a')] },
      'wait: WaitForFirstConsumer',
    ],
    [
      'of a delayed class, with a pod',
      claim('c'),
      { storageClass: () => late, waitingPods: () => ['p'] },
      'wait: WaitForPodScheduled',
    ],
    [
      'of a delayed class, with a node',
      claim('c', { metadata: annotated(SELECTED_NODE) }),
      { storageClass: () => late },
      'provision slow',
    ],
    [
      'of a delayed class, bound by the scheduler',
      claim('c'),
      { storageClass: () => late, candidates: [volume('a', { spec: referringTo('c', 'uid-c') })] },
      'bind a',
    ],
    ['names an unknown volume', claim('c', { spec: named }), {}, 'wait'],
    ['names a free volume', claim('c', { spec: named }), { volume: volume('a') }, 'bind a'],
    [
      'names a volume that does not fit',
      claim('c', { spec: named }),
      { volume: volume('a', { spec: { volumeMode: 'Block' } }) },
      'wait: VolumeMismatch',
    ],
    [
      'names a volume reserved for it',
      claim('c', { spec: named }),
      { volume: volume('a', { spec: referringTo('c') }) },
      'bind a',
    ],
    [
      'names a volume of another',
      claim('c', { spec: named }),
      { volume: volume('a', { spec: referringTo('d') }) },
      'wait: FailedBinding',
    ],
    [
      'lost its mark, and its volume to another',
      claim('c', { spec: named, metadata: annotated(BOUND_BY_CONTROLLER) }),
      { volume: volume('a', { spec: referringTo('d') }) },
      'warn: FailedBinding',
    ],
    [
      'bound',
      claim('c', { spec: named, metadata: done }),
      { volume: volume('a', { spec: referringTo('c', 'uid-c') }) },
      'bind a',
    ],
    [
      'bound, and the volume came unbound',
      claim('c', { spec: named, metadata: done }),
      { volume: volume('a') },
      'bind a',
    ],
    ['bound, and the volume is gone', claim('c', { spec: named, metadata: done }), {}, 'lose: ClaimLost'],
    ['bound, and its reference is gone', claim('c', { metadata: done }), {}, 'lose: ClaimLost'],
    [
      'bound, and the volume has another',
      claim('c', { spec: named, metadata: done }),
      { volume: volume('a', { spec: referringTo('d', 'uid-d') }) },
      'lose: ClaimMisbound',
    ],
  ] as const) {
    it(`${what}: ${expected}`, () => {
      const nothing: SeenClaim = {
        claim: given,
        volume: undefined,
        candidates: [],
        storageClass: () => undefined,
        storageClasses: () => [],
        waitingPods: () => [],
      };
      assert.equal(short(planClaim({ ...nothing, ...seen })), expected);
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HorizontalPodAutoscalerBehavior } from '@binnacle/client/kinds/autoscaling/v2';
import { rememberScale, sizeWithin } from './behavior.js';
import { limitPlainly } from './limits.js';
import { ScaleHistory } from './scale-history.js';

const MINUTE = 60_000;
const FIVE_MINUTES = 5 * MINUTE;

describe('limitPlainly', () => {
  for (const [desired, current, min, max, replicas, reason] of [
    [5, 3, 1, 10, 5, 'DesiredWithinRange'],
    [9, 3, 1, 10, 6, 'ScaleUpLimit'],
    [4, 1, 1, 10, 4, 'DesiredWithinRange'],
    [9, 1, 1, 10, 4, 'ScaleUpLimit'],
    [20, 9, 1, 10, 10, 'TooManyReplicas'],
    [1, 3, 2, 10, 2, 'TooFewReplicas'],
  ] as const) {
    it(`${current} to ${desired} in ${min} to ${max}: ${replicas}, ${reason}`, () => {
      const limited = limitPlainly(desired, { current, min, max });
      assert.deepEqual([limited.replicas, limited.reason], [replicas, reason]);
    });
  }
});

/** The sizes that follow from desired ones, each at its minute. A new size takes effect at once. */
function sizes(
  behavior: HorizontalPodAutoscalerBehavior | undefined,
  start: number,
  desired: readonly (readonly [number, number])[],
): number[] {
  const history = new ScaleHistory('uid');
  history.begin(start, 0);
  let current = start;
  return desired.map(([minute, replicas]) => {
    const now = minute * MINUTE;
    const bounds = { current, min: 1, max: 100 };
    const sizing = { ...bounds, behavior, history, downscaleStabilization: FIVE_MINUTES, now };
    const next = sizeWithin(replicas, sizing).replicas;
    if (next !== current) rememberScale(sizing, current, next);
    current = next;
    return next;
  });
}

describe('sizeWithin', () => {
  const pods = (value: number, periodSeconds: number) => ({ type: 'Pods', value, periodSeconds });
  const percent = (value: number, periodSeconds: number) => ({ type: 'Percent', value, periodSeconds });
  const now = { stabilizationWindowSeconds: 0 };
  for (const [what, behavior, start, desired, expected] of [
    [
      'grows at once, twofold',
      undefined,
      3,
      [
        [0, 20],
        [0, 20],
        [0, 20],
      ],
      [6, 12, 20],
    ],
    [
      'shrinks after five minutes',
      undefined,
      10,
      [
        [0, 2],
        [4, 2],
        [5, 2],
        [5.1, 2],
      ],
      [10, 10, 10, 2],
    ],
    [
      'shrinks to the highest recommendation',
      undefined,
      10,
      [
        [1, 4],
        [3, 2],
        [5.5, 2],
        [6.5, 2],
        [8.5, 2],
      ],
      [10, 10, 4, 2, 2],
    ],
    [
      'adds pods a minute',
      { scaleUp: { policies: [pods(2, 60)] } },
      3,
      [
        [0, 20],
        [0.5, 20],
        [1, 20],
        [2, 20],
      ],
      [5, 5, 7, 9],
    ],
    [
      'adds a share, rounded up',
      { scaleUp: { policies: [percent(10, 60)] } },
      3,
      [
        [0, 20],
        [1, 20],
      ],
      [4, 5],
    ],
    ['the most of two policies', { scaleUp: { policies: [pods(2, 60), percent(100, 60)] } }, 10, [[0, 50]], [20]],
    [
      'the least of two policies',
      { scaleUp: { policies: [pods(2, 60), percent(100, 60)], selectPolicy: 'Min' } },
      10,
      [[0, 50]],
      [12],
    ],
    ['never grows', { scaleUp: { selectPolicy: 'Disabled' } }, 3, [[0, 20]], [3]],
    [
      'grows by the default policies',
      {},
      3,
      [
        [0, 50],
        [0.1, 50],
        [0.3, 50],
      ],
      [7, 7, 14],
    ],
    [
      'removes pods a minute',
      { scaleDown: { ...now, policies: [pods(2, 60)] } },
      10,
      [
        [0, 1],
        [0.5, 1],
        [1, 1],
      ],
      [8, 8, 6],
    ],
    [
      'removes a share',
      { scaleDown: { ...now, policies: [percent(50, 60)] } },
      10,
      [
        [0, 1],
        [1, 1],
        [2, 1],
      ],
      [5, 2, 1],
    ],
    ['never shrinks', { scaleDown: { ...now, selectPolicy: 'Disabled' } }, 10, [[0, 1]], [10]],
    [
      'grows after a window',
      { scaleUp: { stabilizationWindowSeconds: 120 } },
      3,
      [
        [0, 6],
        [1, 6],
        [2, 6],
        [3.1, 6],
      ],
      [3, 3, 6, 6],
    ],
    [
      'shrinks after five minutes, without a window',
      { scaleDown: {} },
      10,
      [
        [1, 2],
        [4, 2],
        [5, 2],
      ],
      [10, 10, 2],
    ],
    [
      'a policy counts from the size before its period',
      { scaleUp: now, scaleDown: { ...now, policies: [pods(1, 120)] } },
      3,
      [
        [0, 6],
        [1, 1],
      ],
      [6, 2],
    ],
  ] as const) {
    it(what, () => assert.deepEqual(sizes(behavior, start, desired), expected));
  }

  it('says why', () => {
    const history = new ScaleHistory('uid');
    history.begin(10, 0);
    const sizing = { current: 10, min: 1, max: 12, behavior: undefined, history, downscaleStabilization: 1000, now: 0 };
    const reasons = (desired: number, now: number) => {
      const { able, limited } = sizeWithin(desired, { ...sizing, now });
      return [able.reason, limited.isLimited, limited.reason];
    };
    assert.deepEqual(reasons(5, 500), ['ScaleDownStabilized', false, 'DesiredWithinRange']);
    assert.deepEqual(reasons(50, 5000), ['ReadyForNewScale', true, 'TooManyReplicas']);
  });
});

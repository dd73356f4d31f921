import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod, Taint, Toleration } from '@binnacle/client/kinds/core/v1';
import { planEviction } from './plan.js';

const NOW = 1_000_000;
const taint = (key: string): Taint => ({ key, effect: 'NoExecute' });
const toleration = (key: string, tolerationSeconds?: number): Toleration => ({
  key,
  operator: 'Exists',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

const pod = (tolerations: readonly Toleration[], isDeleted = false): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...(isDeleted ? { deletionTimestamp: '2027-01-01T00:00:00Z' } : {}) },
  spec: { containers: [], tolerations },
});

describe('planEviction', () => {
  for (const [what, given, taints, planned, cancelled, due] of [
    ['no taints', pod([]), [], undefined, false, undefined],
    ['a taint that the pod does not tolerate', pod([]), [taint('a')], undefined, false, NOW],
    ['a taint that it tolerates', pod([toleration('a')]), [taint('a')], undefined, false, undefined],
    ['a taint that it tolerates for a time', pod([toleration('a', 5)]), [taint('a')], undefined, false, NOW + 5000],
    ['a toleration for no time', pod([toleration('a', -1)]), [taint('a')], undefined, false, NOW],
    [
      'the shortest time',
      pod([toleration('a', 9), toleration('b', 3)]),
      [taint('a'), taint('b')],
      undefined,
      false,
      NOW + 3000,
    ],
    ['one of two tolerated', pod([toleration('a')]), [taint('a'), taint('b')], undefined, false, NOW],
    ['the first toleration', pod([toleration('a', 7), toleration('a')]), [taint('a')], undefined, false, NOW + 7000],
    ['a time that runs', pod([toleration('a', 5)]), [taint('a')], NOW + 100, false, NOW + 100],
    ['a time that is over', pod([toleration('a', 5)]), [taint('a')], NOW, false, NOW],
    ['taints that are gone', pod([toleration('a', 5)]), [], NOW + 100, true, undefined],
    ['another taint while a time runs', pod([toleration('a', 5)]), [taint('a'), taint('b')], NOW + 100, true, NOW],
    ['a deleted node', pod([toleration('a', 5)]), undefined, NOW + 100, false, NOW + 100],
    ['a pod that is being deleted', pod([], true), [taint('a')], undefined, false, undefined],
  ] as const) {
    it(what, () => {
      assert.deepEqual(planEviction({ pod: given, taints, planned, now: NOW }), { cancelled, due });
    });
  }
});

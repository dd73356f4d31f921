import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PriorityLevelConfiguration } from '@binnacle/api/types/flowcontrol-v1';
import { level } from './flow-control.testing.js';
import { levelSettings } from './level-settings.js';

type Spec = NonNullable<PriorityLevelConfiguration['spec']>;

const of = (name: string, spec: Spec) => levelSettings({ metadata: { name, uid: 'u' }, spec });
const queuing = { queues: 8, handSize: 2, queueLengthLimit: 5 };

describe('levelSettings', () => {
  it('reads levels that queue, that refuse, and that are exempt', () => {
    const common = { uid: 'uid of level l', isExempt: false, lendablePercent: 0, borrowingLimitPercent: undefined };
    assert.deepEqual(levelSettings(level('l', 5, 8, 3)), {
      ...common,
      name: 'l',
      shares: 5,
      queuing: { queues: 8, handSize: 1, queueLength: 3 },
    });
    assert.equal(levelSettings(level('l', 5))?.queuing, undefined);
    const exempt = of('exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 2, lendablePercent: 40 } });
    assert.deepEqual([exempt?.isExempt, exempt?.shares, exempt?.lendablePercent], [true, 2, 40]);
  });

  const refusing = { limitResponse: { type: 'Reject' } };
  for (const [fault, name, spec] of [
    ['another exempt level', 'l', { type: 'Exempt', exempt: {} }],
    ['a limited level named exempt', 'exempt', { type: 'Limited', limited: refusing }],
    ['a level without limits', 'l', { type: 'Limited' }],
    ['another type', 'l', { type: 'Free', limited: refusing }],
    [
      'queues of a level that refuses',
      'l',
      { type: 'Limited', limited: { limitResponse: { type: 'Reject', queuing } } },
    ],
    ['a level that queues without queues', 'l', { type: 'Limited', limited: { limitResponse: { type: 'Queue' } } }],
    [
      'hands that are larger than the deck',
      'l',
      { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: { ...queuing, handSize: 9 } } } },
    ],
  ] as const) {
    it(`is undefined for ${fault}`, () => assert.equal(of(name, spec), undefined));
  }
});

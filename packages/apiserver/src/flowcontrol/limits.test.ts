import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mandatoryLevels, suggestedLevels } from './bootstrap-objects.js';
import { levelSettings } from './level-settings.js';
import { limitsOf, widestRequest } from './limits.js';

const settings = [...suggestedLevels, ...mandatoryLevels].flatMap((level) => levelSettings(level) ?? []);

describe('limitsOf', () => {
  it('divides the seats by shares, as upstream does for the suggested levels', () => {
    const limits = limitsOf(settings, 600);
    const named = Object.fromEntries(
      settings.map(({ name }, index) => [name, Object.values(limits[index] ?? {})] as const),
    );
    // The metrics of a kube-apiserver without flags: nominal, lower and upper limits.
    assert.deepEqual(named, {
      system: [74, 50, 674],
      'node-high': [98, 73, 698],
      'leader-election': [25, 25, 625],
      'workload-high': [98, 49, 698],
      'workload-low': [245, 24, 845],
      'global-default': [49, 24, 649],
      'catch-all': [13, 13, 613],
      exempt: [0, 0, 600],
    });
  });

  it('obeys the borrowing limit', () => {
    const [level] = settings;
    assert.ok(level);
    assert.deepEqual(limitsOf([{ ...level, borrowingLimitPercent: 50, lendablePercent: 100 }], 100), [
      { nominal: 100, minimum: 0, maximum: 150 },
    ]);
  });
});

describe('widestRequest', () => {
  // Upstream: `Test_GetMaxSeats`.
  for (const [nominal, handSize, widest] of [
    [1, 6, 1],
    [100, 6, 15],
    [100, 10, 10],
    [245, 6, 37],
  ] as const) {
    it(`is ${widest} of ${nominal} seats, for hands of ${handSize}`, () => {
      const [level] = settings;
      assert.ok(level?.queuing);
      const limits = { nominal, minimum: 0, maximum: nominal };
      assert.equal(widestRequest({ ...level, queuing: { ...level.queuing, handSize } }, limits), widest);
      assert.equal(widestRequest({ ...level, queuing: undefined }, limits), undefined);
    });
  }
});

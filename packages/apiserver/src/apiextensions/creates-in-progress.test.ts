import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, testScope } from '../testing/index.js';
import { CreatesInProgress } from './creates-in-progress.js';

const NAME = 'things.example.com';

describe('CreatesInProgress', () => {
  it('counts the creates of a definition until each has ended, either way', async () => {
    const creates = new CreatesInProgress();
    const allocator = creates.allocator(NAME, () => undefined);
    const claim = () => allocator.claimForCreate(configMap('a'), testScope());
    const [one, other] = [await claim(), await claim()];
    assert.deepEqual([creates.of(NAME), creates.of('others.example.com')], [2, 0]);
    await one.commit();
    assert.equal(creates.of(NAME), 1);
    await other.rollback();
    assert.equal(creates.of(NAME), 0);
  });

  it('counts no create that is refused, and no update', async () => {
    const creates = new CreatesInProgress();
    const refusal = new Error('it is being deleted');
    const allocator = creates.allocator(NAME, () => {
      throw refusal;
    });
    await assert.rejects(async () => allocator.claimForCreate(configMap('a'), testScope()), refusal);
    const update = await allocator.claimForUpdate(configMap('a'), configMap('a'), testScope());
    assert.equal(creates.of(NAME), 0);
    await update.commit();
    assert.equal(creates.of(NAME), 0);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SeatDemand } from './seat-demand.js';

describe('SeatDemand', () => {
  it('averages over time and keeps the highest value, by period', () => {
    const demand = new SeatDemand(1000);
    demand.set(4, 2000);
    demand.set(0, 3000);
    demand.set(2, 3000);
    assert.deepEqual(demand.take(5000), { seconds: 4, average: 2, deviation: Math.sqrt(2), highest: 4 });
    assert.deepEqual(demand.take(6000), { seconds: 1, average: 2, deviation: 0, highest: 2 });
  });

  it('has no average of an empty period', () => {
    const demand = new SeatDemand(0);
    demand.set(3, 0);
    assert.deepEqual(demand.take(0), { seconds: 0, average: 0, deviation: 0, highest: 3 });
  });
});

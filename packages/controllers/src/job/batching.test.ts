import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Batching } from './batching.js';
import { jobOf } from './job.testing.js';

describe('the batching of Jobs', () => {
  it('lets a new Job and a new spec pass at once', () => {
    const batching = new Batching();
    assert.equal(batching.delayOf('a', jobOf(), 0), 0);
    assert.equal(batching.delayOf('a', jobOf({}, {}, { generation: 2 }), 0), 0);
    assert.equal(batching.delayOf('a', jobOf({}, {}, { uid: 'another' }), 0), 0);
    assert.equal(batching.delayOf('b', jobOf(), 0), 0);
  });

  it('collects other events for a second from the first of them', () => {
    const batching = new Batching();
    batching.delayOf('a', jobOf(), 0);
    assert.equal(batching.delayOf('a', jobOf(), 100), 1000);
    assert.equal(batching.delayOf('a', jobOf(), 600), 500);
    assert.equal(batching.delayOf('a', jobOf(), 1100), 0);
    assert.equal(batching.delayOf('a', jobOf(), 1200), 1000);
  });

  it('lets a Job pass when it is due', () => {
    const batching = new Batching();
    batching.delayOf('a', jobOf(), 0);
    batching.schedule('a', 5000);
    assert.equal(batching.delayOf('a', jobOf(), 5000), 0);
    batching.schedule('a', 9000);
    assert.equal(batching.delayOf('a', jobOf(), 6000), 1000);
  });

  it('forgets a Job', () => {
    const batching = new Batching();
    batching.delayOf('a', jobOf(), 0);
    batching.forget('a');
    assert.equal(batching.delayOf('a', jobOf(), 1), 0);
  });
});

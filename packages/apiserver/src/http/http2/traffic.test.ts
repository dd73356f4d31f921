import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Traffic } from './traffic.js';

const KIB = 1024;

describe('traffic', () => {
  it('may have a megabyte of frames without requests, and 256 KiB a second', () => {
    const traffic = new Traffic();
    traffic.read(1280 * KIB);
    assert.equal(traffic.check(0), true);
    for (let second = 0; second < 10; second++) {
      traffic.read(256 * KIB);
      assert.equal(traffic.check(0), true);
    }
    traffic.read(256 * KIB + 1);
    assert.equal(traffic.check(0), false);
  });

  it('saves up no more than a megabyte', () => {
    const traffic = new Traffic();
    for (let second = 0; second < 100; second++) traffic.check(0);
    traffic.read(1281 * KIB);
    assert.equal(traffic.check(0), false);
  });

  it('may have frames for its requests, bodies, and what it reads', () => {
    for (const [make, written] of [
      [(traffic: Traffic) => traffic.opened(100 * KIB), 0],
      [(traffic: Traffic) => traffic.received(10 * KIB), 0],
      [() => undefined, 800 * KIB],
    ] as const) {
      const traffic = new Traffic();
      make(traffic);
      traffic.read(1380 * KIB);
      assert.equal(traffic.check(written), true);
    }
  });

  it('may reset 900 requests at once, and 30 a second', () => {
    const traffic = new Traffic();
    for (let count = 1; count <= 900; count++) assert.equal(traffic.reset(), true);
    assert.equal(traffic.reset(), false);
    traffic.check(0);
    for (let count = 1; count <= 30; count++) assert.equal(traffic.reset(), true);
    assert.equal(traffic.reset(), false);
  });
});

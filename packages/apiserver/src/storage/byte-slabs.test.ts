import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ByteSlabs } from './byte-slabs.js';

const VALUE_BYTES = 2000;
const value = (index: number, length = VALUE_BYTES): Uint8Array => Buffer.alloc(length, index % 251);

/** A small slab may be half empty; over many values that costs little. */
const ROOM = 256 * 1024;

describe('ByteSlabs', () => {
  it('packs values with little overhead', () => {
    const slabs = new ByteSlabs();
    const kept = Array.from({ length: 2000 }, (_, index) => slabs.copy(value(index)));
    kept.forEach((copy, index) => assert.deepEqual(Buffer.compare(copy, value(index)), 0));
    assert.equal(slabs.live, 2000 * VALUE_BYTES);
    assert.ok(slabs.held <= slabs.live * 1.1, `${slabs.held} bytes for ${slabs.live}`);
    assert.ok(new Set(kept.map(({ buffer }) => buffer)).size < 200);
    assert.equal(slabs.isWasteful, false);
  });

  it('keeps few values in no more memory than they need', () => {
    const slabs = new ByteSlabs();
    for (const length of [10, 100, 1000, 0, 300_000]) slabs.copy(value(1, length));
    assert.ok(slabs.held <= slabs.live * 1.1, `${slabs.held} bytes for ${slabs.live}`);
  });

  it('reports sparse slabs after many releases', () => {
    const slabs = new ByteSlabs();
    let kept = Array.from({ length: 2000 }, (_, index) => slabs.copy(value(index)));
    // Every slab keeps some value, so that none is freed as a whole.
    for (const [index, copy] of kept.entries()) if (index % 10 !== 0) slabs.release(copy);
    kept = kept.filter((_, index) => index % 10 === 0);
    assert.equal(slabs.isWasteful, true);
    kept = kept.map((copy) => {
      if (!slabs.isSparse(copy)) return copy;
      slabs.release(copy);
      return slabs.copy(copy);
    });
    assert.equal(slabs.isWasteful, false);
    assert.ok(slabs.held <= slabs.live * 1.5 + ROOM, `${slabs.held} bytes for ${slabs.live}`);
    kept.forEach((copy, index) => assert.equal(copy[0], (index * 10) % 251));
  });

  it('holds no memory after every value is released', () => {
    const slabs = new ByteSlabs();
    const kept = Array.from({ length: 500 }, (_, index) => slabs.copy(value(index)));
    for (const copy of kept) slabs.release(copy);
    assert.deepEqual([slabs.live, slabs.held], [0, 0]);
    slabs.release(value(1));
    assert.equal(slabs.copy(value(7))[0], 7);
  });
});

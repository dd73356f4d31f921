import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { estimateMemory, headMemory, type RequestShape } from './request-memory.js';

const MIB = 1024 * 1024;
const shape: RequestShape = {
  verb: 'get',
  longRunning: false,
  isConnection: false,
  isHistory: false,
  bodyBytes: 0,
  largestBody: 3 * MIB,
  objects: 0,
  objectBytes: 0,
  targetBytes: 0,
  headerBytes: 0,
};

describe('estimateMemory', () => {
  it('charges a list, and a watch with initial events, per object', () => {
    const of = (objects: number, verb = 'list') => estimateMemory({ ...shape, verb, objects });
    assert.equal(of(100_000) - of(0), 100 * 100_000);
    assert.equal(of(100_000, 'deletecollection'), of(100_000));
    const watch = (objects: number) => estimateMemory({ ...shape, verb: 'watch', longRunning: true, objects });
    assert.ok(watch(0) < of(0) / 10, 'watches are many, and wait most of the time');
    // Watches of 2,000 objects took up to 517 KB each.
    assert.ok(watch(2000) >= 517_000 && watch(2000) < 600_000, 'each initial event is encoded and encrypted');
  });

  it('charges the parts of long selectors, and long headers, whatever the request', () => {
    for (const more of [{}, { verb: 'list' }, { verb: 'watch', longRunning: true }]) {
      const of = (targetBytes: number, headerBytes: number) =>
        estimateMemory({ ...shape, ...more, targetBytes, headerBytes });
      assert.equal(of(MIB, 0) - of(0, 0), 20 * MIB);
      assert.equal(of(0, MIB) - of(0, 0), 2 * MIB);
    }
  });

  it('charges a connection to a pod for what waits in both directions, whatever the object', () => {
    const connection = { verb: 'create', longRunning: true, isConnection: true, bodyBytes: undefined };
    assert.equal(estimateMemory({ ...shape, ...connection, objectBytes: MIB }), MIB / 2);
  });

  it('charges the answer with one object, which is held whole', () => {
    const of = (objectBytes: number) => estimateMemory({ ...shape, objectBytes });
    assert.equal(of(MIB) - of(0), 2 * MIB);
  });

  it('charges a page of history alike for one object and for all', () => {
    const of = (verb: string) => estimateMemory({ ...shape, verb, isHistory: true, objects: 1000, objectBytes: MIB });
    assert.deepEqual([of('get'), of('list')], [10 * MIB, 10 * MIB]);
  });

  it('charges a document many times its size, and one of unknown size what reading it may take', () => {
    const of = (bodyBytes: number | undefined) => estimateMemory({ ...shape, verb: 'create', bodyBytes });
    assert.equal(of(1000) - of(0), 40 * 1000);
    assert.equal(of(undefined) - of(0), 3 * MIB);
    assert.equal(of(1e12), of(3 * MIB), 'more is not read');
    assert.ok(of(0) > 0);
  });
});

it('headMemory counts a large head twice, and one of usual size not at all', () => {
  assert.equal(headMemory(4000, 8000), 0);
  assert.equal(headMemory(MIB, 0), 2 * MIB);
  assert.equal(headMemory(0, MIB), 2 * MIB);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRequestInfo, parseTarget } from '../request/index.js';
import { type CollectionSize, estimateWork } from './work-estimate.js';

function requestOf(method: string, target: string) {
  const { path, query } = parseTarget(target);
  return { info: parseRequestInfo(method, path, query), query };
}

interface Given {
  readonly size?: CollectionSize;
  readonly watches?: number;
  readonly widest?: number;
}

function estimate(method: string, target: string, { size, watches = 0, widest }: Given = {}) {
  return estimateWork(requestOf(method, target), { widest, size: () => size, watches });
}

describe('estimateWork of lists', () => {
  const PODS = '/api/v1/pods';
  const size = { objects: 500, objectBytes: 1000 };
  const cases: readonly (readonly [string, string, Given, number])[] = [
    ['a seat for each 100 kB', PODS, { size }, 5],
    ['one that begins a seat', PODS, { size: { objects: 401, objectBytes: 1000 } }, 5],
    ['an empty one', PODS, { size: { objects: 0, objectBytes: 0 } }, 1],
    ['of another server', PODS, {}, 1],
    ['a limited one', `${PODS}?limit=150`, { size }, 2],
    ['a limit above the number of objects', `${PODS}?limit=5000`, { size }, 5],
    ['an unreadable limit', `${PODS}?limit=x`, { size }, 5],
    ['of one object', `${PODS}?fieldSelector=metadata.name%3Da`, { size }, 1],
    ['a large one, which streams', PODS, { size: { objects: 5000, objectBytes: 1000 } }, 10],
    ['in a level that allows less', PODS, { size, widest: 3 }, 3],
    ['a watch with initial events', `${PODS}?watch=1&sendInitialEvents=true&resourceVersion=5`, { size }, 5],
    ['a watch from now', `${PODS}?watch=1`, { size }, 5],
    ['a watch from any state', `${PODS}?watch=1&resourceVersion=0`, { size }, 5],
    ['a watch from a revision', `${PODS}?watch=1&resourceVersion=7`, { size }, 1],
    ['a get', `${PODS}/a`, { size }, 1],
    ['a path', '/version', { size }, 1],
  ];
  for (const [title, target, given, seats] of cases) {
    it(title, () => assert.deepEqual(estimate('GET', target, given), { seats, finalSeats: 0, finalMs: 0 }));
  }
});

describe('estimateWork of writes', () => {
  const POD = '/api/v1/namespaces/n/pods/p';
  const one = { seats: 1, finalSeats: 0, finalMs: 0 };

  it('counts the watches, from ten on', () => {
    assert.deepEqual(estimate('PUT', POD, { watches: 9 }), one);
    assert.deepEqual(estimate('PUT', POD, { watches: 10 }), { seats: 1, finalSeats: 1, finalMs: 5 });
    assert.deepEqual(estimate('PATCH', POD, { watches: 25 }), { seats: 1, finalSeats: 3, finalMs: 5 });
  });

  it('takes longer rather than more seats than are allowed', () => {
    assert.deepEqual(estimate('DELETE', POD, { watches: 400 }), { seats: 1, finalSeats: 10, finalMs: 20 });
    assert.deepEqual(estimate('DELETE', POD, { watches: 80, widest: 4 }), { seats: 1, finalSeats: 4, finalMs: 10 });
  });

  it('is one seat without events', () => {
    const token = '/api/v1/namespaces/n/serviceaccounts/s/token';
    assert.deepEqual(estimate('POST', token, { watches: 500 }), one);
    assert.deepEqual(estimate('GET', POD, { watches: 500 }), one);
  });
});

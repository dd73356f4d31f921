import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { between, PodLedger } from './pod-ledger.mjs';

const NOW = Date.parse('2027-01-01T00:01:00Z');

const pod = (name, { leaving, phase, readyAt } = {}) => ({
  metadata: { name, uid: name, ...(leaving ? { deletionTimestamp: '2027-01-01T00:00:00Z' } : {}) },
  status: {
    phase,
    conditions: readyAt === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: readyAt }],
  },
});

describe('pod ledger', () => {
  it('counts each creation and each deletion once', () => {
    const ledger = new PodLedger();
    for (const [type, object] of [
      ['ADDED', pod('a')],
      ['ADDED', pod('b')],
      ['MODIFIED', pod('a', { leaving: true })],
      ['DELETED', pod('a', { leaving: true })],
      ['DELETED', pod('b')],
      ['ADDED', pod('c')],
    ]) {
      ledger.record({ type, object }, NOW);
    }
    assert.deepEqual(ledger.created, ['a', 'b', 'c']);
    assert.deepEqual(ledger.deleted, ['a', 'b']);
  });

  it('asks the rule of all pods that are to stay', () => {
    const ledger = new PodLedger();
    ledger.rule = (pods) => (pods.length > 1 ? `${pods.length} pods` : undefined);
    for (const object of [pod('a'), pod('a', { leaving: true }), pod('b'), pod('c')]) {
      ledger.record({ type: 'MODIFIED', object }, NOW);
    }
    assert.deepEqual(ledger.broken, ['MODIFIED c: 2 pods']);
  });
});

describe('between', () => {
  const old = '2027-01-01T00:00:00Z';
  const recent = '2027-01-01T00:00:59Z';
  for (const [name, bounds, pods, expected] of [
    ['too many', { most: 1 }, [pod('a'), pod('b')], '2 pods, but 1 are the most'],
    ['ended pods do not count', { most: 1 }, [pod('a'), pod('b', { phase: 'Succeeded' })], undefined],
    ['too few', { most: 2, least: 2 }, [pod('a', { readyAt: old }), pod('b')], '1 available, but 2 are the least'],
    ['enough', { most: 2, least: 2 }, [pod('a', { readyAt: old }), pod('b', { readyAt: old })], undefined],
    [
      'ready too recently',
      { most: 1, least: 1, minReadySeconds: 5 },
      [pod('a', { readyAt: recent })],
      '0 available, but 1 are the least',
    ],
  ]) {
    it(name, () => assert.equal(between(bounds)(pods, NOW), expected));
  }
});

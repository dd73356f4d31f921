import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { Indexer } from '@binnacle/client/cache';
import type { ObjectMeta, TypedObject } from '@binnacle/client/typed';
import { Expectations } from './expectations.js';

const object = (name: string, metadata: ObjectMeta = {}): TypedObject => ({
  apiVersion: 'v1',
  kind: 'Boat',
  metadata: { namespace: 'sea', name, uid: `uid-${name}`, ...metadata },
});

const owner = object('fleet');

describe('expectations', () => {
  let clock: VirtualClock;
  let expectations: Expectations;
  let cache: { indexer: Indexer<TypedObject>; state: { version: string | undefined } };

  beforeEach(() => {
    clock = new VirtualClock();
    expectations = new Expectations(clock);
    cache = { indexer: new Indexer(), state: { version: '9' } };
  });

  const isMet = () => expectations.remainingWait(owner) === 0;
  const show = (name: string, resourceVersion: string, metadata: ObjectMeta = {}) =>
    cache.indexer.set(object(name, { resourceVersion, ...metadata }));

  it('are met without writes', () => assert.ok(isMet()));

  it('wait until the cache has the object that was created', () => {
    expectations.expectWrite(owner, cache, object('one', { resourceVersion: '10' }));
    assert.ok(!isMet());
    show('one', '10');
    assert.ok(isMet());
  });

  it('wait for the version that a change made', () => {
    show('one', '9');
    expectations.expectWrite(owner, cache, object('one', { resourceVersion: '10' }));
    assert.ok(!isMet());
    show('one', '11');
    assert.ok(isMet());
  });

  it('are met by a cache that has seen a later version, though the object is gone again', () => {
    expectations.expectWrite(owner, cache, object('one', { resourceVersion: '10' }));
    cache.state.version = '11';
    assert.ok(isMet());
  });

  it('wait for all writes', () => {
    for (const name of ['one', 'two']) expectations.expectWrite(owner, cache, object(name, { resourceVersion: '10' }));
    show('one', '10');
    assert.ok(!isMet());
    show('two', '10');
    assert.ok(isMet());
  });

  for (const [how, see] of [
    ['is gone', () => cache.indexer.delete('sea/one')],
    ['is being deleted', () => show('one', '10', { deletionTimestamp: 'soon' })],
    ['has been replaced', () => show('one', '10', { uid: 'another' })],
  ] as const) {
    it(`wait until a deleted object ${how}`, () => {
      show('one', '9');
      expectations.expectDeletion(owner, cache, object('one'));
      assert.ok(!isMet());
      see();
      assert.ok(isMet());
    });
  }

  it('expire five minutes after the last write', async () => {
    expectations.expectWrite(owner, cache, object('one', { resourceVersion: '10' }));
    await clock.advance(60_000);
    expectations.expectWrite(owner, cache, object('two', { resourceVersion: '11' }));
    assert.equal(expectations.remainingWait(owner), 300_000);
    await clock.advance(299_999);
    assert.equal(expectations.remainingWait(owner), 1);
    await clock.advance(1);
    assert.ok(isMet());
  });

  it('are those of one owner, and not of another of its name', () => {
    expectations.expectWrite(owner, cache, object('one', { resourceVersion: '10' }));
    assert.equal(expectations.remainingWait(object('navy')), 0);
    assert.equal(expectations.remainingWait(object('fleet', { uid: 'another' })), 0);
    assert.ok(isMet());
  });

  it('doubt kinds whose writes got no answer, until that is settled', () => {
    const boats = { group: '', version: 'v1', kind: 'Boat', plural: 'boats', namespaced: true };
    expectations.doubt(owner, boats);
    expectations.doubt(owner, boats, object('one'));
    assert.deepEqual([...expectations.doubtsOf(owner)], [[boats, { until: 1000, deleted: [object('one')] }]]);
    assert.equal(expectations.doubtsOf(object('fleet', { uid: 'another' })).size, 0);
    assert.equal(expectations.remainingDoubt(owner), 1000);
    expectations.settle(owner, boats);
    assert.deepEqual([expectations.doubtsOf(owner).size, expectations.remainingDoubt(owner)], [0, 0]);
    assert.ok(isMet());
  });

  it('are forgotten with their owner', () => {
    expectations.expectWrite(owner, cache, object('one', { resourceVersion: '10' }));
    expectations.forget('sea/fleet');
    assert.ok(isMet());
  });
});

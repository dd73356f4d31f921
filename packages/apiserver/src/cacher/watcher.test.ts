import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StorageCodec } from '../storage/index.js';
import { StoredObject } from '../storage/index.js';
import { testResource, watchedEvents } from '../testing/index.js';
import { ObjectChange } from './event.js';
import { Watcher, type WatcherOptions } from './watcher.js';

const codec: StorageCodec = testResource().storage.codec;

function object(name: string, revision: number, size = 10): StoredObject {
  const key = `/registry/configmaps/default/${name}`;
  return new StoredObject({ codec, key, revision, value: Buffer.alloc(size), isCanonical: true });
}

function change(name: string, revision: number, size?: number): ObjectChange {
  return new ObjectChange(`/registry/configmaps/default/${name}`, revision, object(name, revision, size), undefined);
}

function watcher(overrides: Partial<WatcherOptions> = {}): Watcher {
  const defaults = {
    prefix: '/registry/configmaps/',
    filter: undefined,
    fromRevision: 0,
    capacity: 4,
    capacityBytes: 1000,
  };
  return new Watcher({ ...defaults, ...overrides });
}

describe('Watcher', () => {
  it('takes new events under its prefix', () => {
    const one = watcher({ fromRevision: 5, prefix: '/registry/configmaps/default/a' });
    for (const each of [change('a', 5), change('a', 6), change('b', 7), change('ab', 8)]) one.offer(each);
    assert.deepEqual(watchedEvents(one), ['ADDED a 6', 'ADDED ab 8']);
    assert.deepEqual(watchedEvents(one), []);
  });

  it('ends when it falls behind, after the queued events', () => {
    const one = watcher({ capacity: 2 });
    for (let revision = 1; revision <= 4; revision++) one.offer(change('a', revision));
    assert.deepEqual(one.ended, { type: 'fell-behind' });
    assert.deepEqual(watchedEvents(one), ['ADDED a 1', 'ADDED a 2']);
    one.offer(change('a', 5));
    assert.equal(one.idle, true);
  });

  it('counts bytes as well, but always accepts one event', () => {
    const one = watcher();
    one.offer(change('a', 1, 2000));
    assert.equal(one.ended, undefined);
    one.offer(change('a', 2, 10));
    assert.deepEqual(one.ended, { type: 'fell-behind' });
  });

  it('never keeps a part of a revision', () => {
    const one = watcher({ capacity: 3 });
    one.offer(change('a', 1));
    for (const name of ['x', 'y', 'z']) one.offer(change(name, 2));
    assert.deepEqual(watchedEvents(one), ['ADDED a 1']);
  });

  it('does not count the initial state against its capacity', () => {
    const one = watcher({ capacity: 1 });
    one.prime(['a', 'b', 'c'].map((name) => object(name, 1)));
    one.offer(change('d', 2));
    assert.equal(one.ended, undefined);
    one.offer(change('e', 3));
    assert.deepEqual(watchedEvents(one), ['ADDED a 1', 'ADDED b 1', 'ADDED c 1', 'ADDED d 2']);
  });

  it('wakes its reader once for many events, and once for its end', async () => {
    const one = watcher({ capacity: 10 });
    const waiting = one.wait();
    for (let revision = 1; revision <= 3; revision++) one.offer(change('a', revision));
    await waiting;
    assert.equal(one.take().length, 3);
    const end = one.finished();
    const idle = one.wait();
    one.end({ type: 'stopped' });
    one.end({ type: 'fell-behind' });
    await Promise.all([end, idle, one.wait(), one.finished()]);
    assert.deepEqual(one.ended, { type: 'stopped' });
  });
});

describe('ObjectChange', () => {
  const before = object('a', 1);
  const after = object('a', 2);
  const only = (wanted: StoredObject | undefined) => (candidate: StoredObject) => candidate === wanted;
  const seen = (
    current: StoredObject | undefined,
    previous: StoredObject | undefined,
    filter?: (o: StoredObject) => boolean,
  ) => {
    const event = new ObjectChange('/registry/configmaps/default/a', 2, current, previous).seenThrough(filter);
    return event === undefined ? 'nothing' : `${event.type} ${event.revision}`;
  };

  it('is seen unchanged without a selection', () => {
    assert.equal(seen(after, undefined), 'ADDED 2');
    assert.equal(seen(after, before), 'MODIFIED 2');
    assert.equal(seen(undefined, before), 'DELETED 2');
  });

  it('becomes ADDED or DELETED when the object enters or leaves a selection', () => {
    assert.equal(seen(after, before, only(after)), 'ADDED 2');
    assert.equal(seen(after, before, only(before)), 'DELETED 2');
    assert.equal(
      seen(after, before, () => true),
      'MODIFIED 2',
    );
    assert.equal(
      seen(after, before, () => false),
      'nothing',
    );
    assert.equal(
      seen(after, undefined, () => true),
      'ADDED 2',
    );
    assert.equal(
      seen(undefined, before, () => true),
      'DELETED 2',
    );
    assert.equal(
      seen(undefined, before, () => false),
      'nothing',
    );
  });

  it('is encoded once for all watchers while it is recent', () => {
    const one = new ObjectChange('/registry/configmaps/default/a', 2, after, before);
    let encoded = 0;
    const encode = () => {
      encoded++;
      return Buffer.from('x');
    };
    for (let index = 0; index < 3; index++) one.seenThrough(undefined)?.frame('json', encode);
    assert.equal(encoded, 1);
    one.settle();
    for (let index = 0; index < 3; index++) one.seenThrough(undefined)?.frame('json', encode);
    assert.equal(encoded, 4);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { type EventBatch, KVError, type WatchSink } from '@binnacle/kv';
import { ConvertingWatch } from './converting-watch.js';

const batch = (revision: number, ...values: string[]): EventBatch => ({
  revision,
  events: values.map((value) => ({ type: 'put', key: 'a', value: Buffer.from(value), createRevision: 1 })),
});

/** A watch whose sink writes down what arrives. A conversion is in capitals, fails for `bad`, and waits for `go`. */
function watchOf({ waits = false } = {}) {
  const seen: string[] = [];
  const asked: number[] = [];
  const going: (() => void)[] = [];
  const sink: WatchSink = {
    batch: ({ revision, events }) => {
      const texts = events.map(({ value, previous }) =>
        [value, previous?.value].map((text) => text?.toString()).join('<'),
      );
      seen.push(`${revision}: ${texts.join(' ')}`);
    },
    progress: (revision) => seen.push(`progress ${revision}`),
    ended: (error) => seen.push(`ended: ${error.message}`),
  };
  const convert = async (values: readonly Uint8Array[]): Promise<Uint8Array[]> => {
    asked.push(values.length);
    if (waits) await new Promise<void>((resolve) => going.push(resolve));
    return values.map((value) => {
      const text = Buffer.from(value).toString();
      if (text === 'bad') throw new Error('cannot convert');
      return Buffer.from(text.toUpperCase());
    });
  };
  const stop = new AbortController();
  const watch = new ConvertingWatch(convert, sink, stop.signal);
  /** Lets everything run that needs no conversion. */
  const settle = () => new VirtualClock().advance(0);
  return { watch, seen, asked, stop, settle, go: () => going.shift()?.() };
}

describe('a watch through a webhook', () => {
  it('converts the values of an event, and the values before it', async () => {
    const { watch, seen, asked, settle } = watchOf();
    const previous = { key: 'a', value: Buffer.from('x'), createRevision: 1, modRevision: 1 };
    watch.batch({
      revision: 2,
      events: [
        { type: 'put', key: 'a', value: Buffer.from('y'), createRevision: 1, previous },
        { type: 'delete', key: 'a', createRevision: 1, previous },
        { type: 'delete', key: 'b', createRevision: 1 },
      ],
    });
    await settle();
    assert.deepEqual(seen, ['2: Y<X <X <']);
    assert.deepEqual(asked, [3]);
  });

  it('lets a replay wait while much waits for the webhook', async () => {
    const { watch, settle, go } = watchOf({ waits: true });
    let revision = 2;
    while (watch.whenReady() === undefined && revision < 5000) watch.batch(batch(revision++, 'x'));
    assert.ok(revision > 100 && revision < 1000, `${revision} events`);
    let isReady = false;
    void watch.whenReady()?.then(() => (isReady = true));
    go();
    await settle();
    assert.equal(isReady, false, 'the rest is being converted');
    go();
    await settle();
    assert.equal(isReady, true);
    assert.equal(watch.whenReady(), undefined);
  });

  it('converts all that waits in one request, and keeps the order', async () => {
    const { watch, seen, asked, settle, go } = watchOf({ waits: true });
    watch.batch(batch(2, 'a'));
    watch.progress(3);
    watch.batch(batch(4, 'b', 'c'));
    watch.batch(batch(5, 'd'));
    await settle();
    assert.deepEqual(seen, []);
    go();
    await settle();
    assert.deepEqual(seen, ['2: A<']);
    go();
    await settle();
    assert.deepEqual(seen, ['2: A<', 'progress 3', '4: B< C<', '5: D<']);
    assert.deepEqual(asked, [1, 3]);
  });

  it('passes progress on at once when nothing waits', () => {
    const { watch, seen } = watchOf();
    watch.progress(7);
    assert.deepEqual(seen, ['progress 7']);
  });

  it('ends with the error of an event, after the events before it', async () => {
    const { watch, seen, settle, go } = watchOf({ waits: true });
    watch.batch(batch(2, 'a'));
    await settle();
    for (const [revision, value] of [
      [3, 'b'],
      [4, 'bad'],
      [5, 'c'],
    ] as const)
      watch.batch(batch(revision, value));
    for (let conversions = 0; conversions < 5; conversions++) {
      go();
      await settle();
    }
    assert.deepEqual(seen, ['2: A<', '3: B<', 'ended: cannot convert']);
    assert.ok(watch.signal.aborted);
    watch.progress(6);
    assert.equal(seen.length, 3);
  });

  it('ends as the store ends it, after the events before that', async () => {
    const { watch, seen, settle } = watchOf();
    watch.batch(batch(2, 'a'));
    watch.ended(new KVError('closed', 'the store is closed'));
    await settle();
    assert.deepEqual(seen, ['2: A<', 'ended: the store is closed']);
  });

  it('ends when more waits than memory may hold', async () => {
    const { watch, seen, settle } = watchOf({ waits: true });
    watch.batch(batch(2, 'a'));
    await settle();
    const half = Buffer.alloc(33 * 1024 * 1024).toString('latin1');
    watch.batch(batch(3, half));
    assert.deepEqual(seen, []);
    watch.batch(batch(4, half));
    assert.deepEqual(seen, ['ended: objects change faster than they are converted']);
  });

  it('says nothing more once its reader has left', async () => {
    const { watch, seen, stop, settle, go } = watchOf({ waits: true });
    watch.batch(batch(2, 'a'));
    await settle();
    stop.abort();
    go();
    await settle();
    watch.progress(3);
    assert.deepEqual(seen, []);
    assert.ok(watch.signal.aborted);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventBatch, WatchSink } from '@binnacle/kv';
import { testResource } from '../testing/index.js';
import type { StorageCodec } from './codec.js';
import { ReadableSink } from './readable-sink.js';

const BINARY = Buffer.from('binary');
const JSON_TEXT = Buffer.from('{}');

/** A codec that has to load before it can read the binary value, and everything that the sink has received. */
function setUp() {
  let loaded = (): void => undefined;
  let failed = (_: Error): void => undefined;
  const loading = new Promise<void>((resolve, reject) => {
    loaded = resolve;
    failed = reject;
  });
  let waits = true;
  const codec: StorageCodec = Object.assign(Object.create(testResource().storage.codec) as StorageCodec, {
    beforeReading: (value: Uint8Array) => (waits && value === BINARY ? loading : undefined),
  });
  const told: string[] = [];
  const sink: WatchSink = {
    batch: ({ revision }) => {
      if (revision === 13) throw new Error('thirteen');
      told.push(`batch ${revision}`);
    },
    progress: (revision) => told.push(`progress ${revision}`),
    ended: ({ message }) => told.push(`ended ${message}`),
  };
  const abort = new AbortController();
  return {
    sink: new ReadableSink(codec, sink, abort.signal),
    told,
    abort,
    load: async () => {
      waits = false;
      loaded();
      await settled();
    },
    fail: async () => {
      failed(new Error('no such file'));
      await settled();
    },
  };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
};

function batch(revision: number, value: Uint8Array | undefined, previous?: Uint8Array): EventBatch {
  const key = '/registry/configmaps/default/a';
  const before =
    previous === undefined ? {} : { previous: { key, value: previous, createRevision: 1, modRevision: 1 } };
  return {
    revision,
    events: [
      value === undefined
        ? { type: 'delete', key, createRevision: 1, ...before }
        : { type: 'put', key, value, createRevision: 1, ...before },
    ],
  };
}

describe('ReadableSink', () => {
  it('passes readable values at once', () => {
    const { sink, told } = setUp();
    sink.batch(batch(1, JSON_TEXT));
    sink.progress(2);
    sink.batch(batch(3, undefined, JSON_TEXT));
    sink.ended(new Error('over'));
    assert.deepEqual(told, ['batch 1', 'progress 2', 'batch 3', 'ended over']);
  });

  for (const [what, first] of [
    ['value', batch(1, BINARY)],
    ['value that stood there before', batch(1, JSON_TEXT, BINARY)],
    ['value that is gone', batch(1, undefined, BINARY)],
  ] as const) {
    it(`holds back a ${what} until it can be read, and everything after it, in order`, async () => {
      const { sink, told, load } = setUp();
      sink.batch(first);
      sink.progress(2);
      sink.batch(batch(3, JSON_TEXT));
      assert.deepEqual(told, []);
      await load();
      assert.deepEqual(told, ['batch 1', 'progress 2', 'batch 3']);
      sink.batch(batch(4, BINARY));
      assert.deepEqual(told.at(-1), 'batch 4', 'it waits once');
    });
  }

  it('delivers the end after the held events', async () => {
    const { sink, told, load } = setUp();
    sink.batch(batch(1, BINARY));
    sink.ended(new Error('over'));
    await load();
    assert.deepEqual(told, ['batch 1', 'ended over']);
  });

  it('sends nothing after the watch is aborted', async () => {
    const { sink, told, load, abort } = setUp();
    sink.batch(batch(1, BINARY));
    abort.abort();
    await load();
    assert.deepEqual(told, []);
  });

  it('ends once when the codec cannot be loaded', async () => {
    const { sink, told, fail } = setUp();
    sink.batch(batch(1, BINARY));
    await fail();
    sink.batch(batch(2, JSON_TEXT));
    sink.progress(3);
    sink.ended(new Error('over'));
    assert.deepEqual(told, ['ended no such file']);
  });

  it('ends once when the receiver throws', async () => {
    const { sink, told, load } = setUp();
    sink.batch(batch(1, BINARY));
    sink.batch(batch(13, JSON_TEXT));
    sink.batch(batch(14, JSON_TEXT));
    await load();
    sink.batch(batch(15, JSON_TEXT));
    assert.deepEqual(told, ['batch 1', 'ended thirteen']);
  });
});

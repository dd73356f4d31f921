import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { createEngineKV, type Write } from './index.js';
import { KVError, type TxnRequest } from '../interface/index.js';
import { MemoryBackend } from './layers/memory-backend.js';

/** Refuses commits as the test says. */
class RefusingBackend extends MemoryBackend {
  refuse: (keys: readonly string[]) => Error | undefined = () => undefined;
  /** The keys of each commit that succeeded. */
  readonly commits: string[][] = [];

  override async append(writes: readonly Write[]): Promise<void> {
    const keys = writes.map(({ record }) => record.key);
    const error = this.refuse(keys);
    if (error !== undefined) throw error;
    await super.append(writes);
    this.commits.push(keys);
  }
}

function storeOf() {
  const backend = new RefusingBackend();
  const clock = new VirtualClock();
  return { backend, kv: createEngineKV({ backend, clock, now: () => clock.now() }) };
}

const put = (key: string, expectedRevision = 0): TxnRequest => ({
  key,
  expectedRevision,
  operation: { type: 'put', value: Buffer.from(key) },
});

/** `written`, or the message of the error, of each. */
const outcomes = (results: readonly Promise<unknown>[]): Promise<string[]> =>
  Promise.all(
    results.map((result) =>
      result.then(
        () => 'written',
        (error: unknown) => messageOf(error),
      ),
    ),
  );

describe('writes that arrive together', () => {
  it('are one commit, each on the writes before it', async () => {
    const { backend, kv } = storeOf();
    const results = await Promise.all([put('a'), put('b'), put('a', 2), put('a', 2)].map((each) => kv.txn(each)));
    assert.deepEqual(
      results.map(({ succeeded, revision }) => [succeeded, revision]),
      [
        [true, 2],
        [true, 3],
        [true, 4],
        [false, 4],
      ],
    );
    assert.deepEqual(backend.commits, [['a', 'b', 'a']]);
    await kv.close();
  });

  it('are committed in parts if the whole does not fit, and only what fits nowhere fails', async () => {
    const { backend, kv } = storeOf();
    const full = new KVError('full', 'no space is left');
    backend.refuse = (keys) => (keys.includes('large') || keys.length > 2 ? full : undefined);
    const results = await outcomes(['a', 'b', 'c', 'large', 'd'].map((key) => kv.txn(put(key))));
    assert.deepEqual(results, ['written', 'written', 'written', 'no space is left', 'written']);
    assert.deepEqual(backend.commits, [['a', 'b'], ['c'], ['d']]);
    assert.equal(await kv.currentRevision(), 5);
    await kv.close();
  });

  it('all fail for any other reason, and the store goes on', async () => {
    const { backend, kv } = storeOf();
    backend.refuse = () => new Error('the disk is gone');
    const results = ['a', 'b'].map((key) => kv.txn(put(key)));
    assert.deepEqual(await outcomes(results), ['the disk is gone', 'the disk is gone']);
    assert.equal(await kv.currentRevision(), 1);
    backend.refuse = () => undefined;
    assert.deepEqual(await outcomes([kv.txn(put('a'))]), ['written']);
    await kv.close();
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TimeoutError } from '@binnacle/apimachinery/clock';
import { FakeCollection, VirtualClock, settle, waitFor, waitForDeletion } from './index.js';

describe('waiting for an object', () => {
  interface Settings {
    readonly metadata?: { readonly name?: string };
    readonly data?: { readonly color?: string };
  }
  const isBlue = ({ data }: Settings): boolean => data?.color === 'blue';

  it('resolves at once if the object meets the condition', async () => {
    const collection = new FakeCollection();
    collection.set('a', { color: 'blue' });
    assert.equal((await waitFor(collection, 'a', isBlue)).metadata?.name, 'a');
    await waitForDeletion(collection, 'b');
  });

  it('sees every state of the object across broken watches', async () => {
    const collection = new FakeCollection();
    const clock = new VirtualClock();
    const seen: (string | undefined)[] = [];
    const found = waitFor<Settings>(
      collection,
      'a',
      (object) => {
        seen.push(object.data?.color);
        return isBlue(object);
      },
      { clock },
    );
    await settle();
    collection.set('b', { color: 'blue' });
    collection.set('a', { color: 'red' });
    await settle();
    collection.breakWatches();
    collection.set('a', { color: 'green' });
    collection.delete('a');
    collection.set('a', { color: 'blue' });
    await clock.advance(5000);
    assert.equal((await found).data?.color, 'blue');
    assert.deepEqual(seen, ['red', 'green', 'blue']);
    assert.equal(clock.waiting, 0);
  });

  it('waits for a deletion', async () => {
    const collection = new FakeCollection();
    collection.set('a', {});
    const gone = waitForDeletion(collection, 'a');
    await settle();
    collection.delete('a');
    await gone;
  });

  it('reports the last state and the last failure at the timeout', async () => {
    const collection = new FakeCollection();
    collection.set('a', { color: 'red' });
    const clock = new VirtualClock();
    const failed = assert.rejects(waitFor(collection, 'a', isBlue, { clock, timeout: 3000 }), (error: unknown) => {
      assert.ok(error instanceof TimeoutError);
      assert.match(error.message, /^a is not in the expected state after 3000 ms: \{.*"data":\{"color":"red"\}/);
      return error.cause instanceof Error;
    });
    await settle();
    collection.breakWatches();
    await clock.advance(3000);
    await failed;
    const absent = assert.rejects(
      waitFor(collection, 'b', isBlue, { clock }),
      /^TimeoutError: b .* 10000 ms: missing$/,
    );
    await clock.advance(10_000);
    await absent;
    assert.equal(clock.waiting, 0);
  });

  it('rejects with the error of the condition, or with its signal', async () => {
    const collection = new FakeCollection();
    collection.set('a', {});
    const broken = (): boolean => {
      throw new Error('no color');
    };
    await assert.rejects(waitFor(collection, 'a', broken), /no color/);
    const controller = new AbortController();
    const failed = assert.rejects(waitFor(collection, 'b', isBlue, { signal: controller.signal }), /enough/);
    await settle();
    controller.abort(new Error('enough'));
    await failed;
  });
});

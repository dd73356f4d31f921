import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DocumentCache, hashOf, type MadeDocument } from './document-cache.js';

/** A source whose documents are made when the test says so. */
class Makes {
  readonly begun: string[] = [];
  readonly #waiting: (() => void)[] = [];

  readonly make = (text: string) => async (): Promise<MadeDocument> => {
    this.begun.push(text);
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (text === 'bad') throw new Error('bad');
    const bytes = Buffer.from(text);
    return { bytes, hash: hashOf(bytes) };
  };

  async finish(): Promise<void> {
    this.#waiting.shift()?.();
    await new Promise(setImmediate);
  }
}

describe('document cache', () => {
  it('makes a document once for a revision, also for callers at the same time', async () => {
    const makes = new Makes();
    const cache = new DocumentCache();
    const both = [cache.get('a', 1, makes.make('one')), cache.get('a', 1, makes.make('again'))];
    await makes.finish();
    const [first, second] = await Promise.all(both);
    assert.equal(first, second);
    assert.equal(await cache.get('a', 1, makes.make('again')), first);
    assert.deepEqual(makes.begun, ['one']);
  });

  it('makes one document of a key at a time, and then only the latest that was asked for', async () => {
    const makes = new Makes();
    const cache = new DocumentCache();
    const texts = ['0', '1', '2', '3'].map(async (text, revision) =>
      Buffer.from(await (await cache.get('a', revision, makes.make(text))).plain()).toString(),
    );
    const other = cache.get('b', 1, makes.make('b'));
    assert.deepEqual(makes.begun, ['0', 'b']);
    await makes.finish();
    assert.deepEqual(makes.begun, ['0', 'b', '3']);
    await makes.finish();
    await makes.finish();
    assert.deepEqual(await Promise.all(texts), ['0', '3', '3', '3']);
    assert.equal((await other).hash, hashOf(Buffer.from('b')));
    await cache.get('a', 3, makes.make('again'));
    assert.deepEqual(makes.begun, ['0', 'b', '3']);
  });

  it('goes on after a document that could not be made', async () => {
    const makes = new Makes();
    const cache = new DocumentCache();
    const failed = assert.rejects(cache.get('a', 1, makes.make('bad')), /bad/);
    const next = cache.get('a', 2, makes.make('good'));
    await makes.finish();
    await failed;
    await makes.finish();
    assert.equal((await next).hash, hashOf(Buffer.from('good')));

    const again = assert.rejects(cache.get('c', 1, makes.make('bad')), /bad/);
    await makes.finish();
    await again;
    const retried = cache.get('c', 1, makes.make('good'));
    await makes.finish();
    assert.equal((await retried).hash, hashOf(Buffer.from('good')));
  });
});

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import { feedInput } from './feed-input.js';

async function* sourceOf(...texts: readonly (string | Error)[]): AsyncGenerator<Buffer> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield Buffer.from(text);
  }
}

describe('the input of a process', () => {
  it('gets the source, and ends with it if it should', async () => {
    for (const endsInput of [true, false]) {
      const input = new PassThrough();
      await feedInput(sourceOf('a', 'b'), input, endsInput);
      assert.equal(String(input.read()), 'ab');
      assert.equal(input.writableEnded, endsInput);
    }
  });

  it('ends as well when the client goes', async () => {
    const input = new PassThrough();
    await feedInput(sourceOf('a', new Error('gone')), input, true);
    assert.equal(input.writableEnded, true);
  });

  it('makes the source wait until the program reads, or its input closes', async () => {
    for (const release of ['read', 'destroy'] as const) {
      const input = new PassThrough({ highWaterMark: 1 });
      let isDone = false;
      const fed = feedInput(sourceOf('abc', 'd'), input, false).then(() => {
        isDone = true;
      });
      await settle();
      assert.equal(isDone, false);
      if (release === 'read') input.resume();
      else input.destroy();
      await fed;
    }
  });
});

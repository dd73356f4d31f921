import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, it } from 'node:test';
import { LONG_ANSWER_BYTES, LongAnswers } from './long-answers.js';
import { BrokenAnswer, readAnswer } from './webhook-connections.js';

const forever = new AbortController().signal;

function message(
  pieces: readonly (Buffer | Error)[],
  { statusCode = 200, headers = {} }: { statusCode?: number; headers?: IncomingHttpHeaders } = {},
) {
  return {
    statusCode,
    headers,
    async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
      for (const piece of pieces) {
        if (piece instanceof Error) throw piece;
        yield piece;
      }
    },
  };
}

const read = (
  given: ReturnType<typeof message>,
  { maximumAnswerBytes = 10, longAnswers = new LongAnswers(), signal = forever } = {},
) => readAnswer(given, { maximumAnswerBytes, longAnswers }, signal);

describe('an answer', () => {
  it('is read whole, with its head', async () => {
    const headers = { 'content-type': 'text/plain', location: '/b' };
    const pieces = [Buffer.from('12'), Buffer.from('345')];
    assert.deepEqual(await read(message(pieces, { statusCode: 307, headers })), {
      status: 307,
      contentType: 'text/plain',
      location: '/b',
      body: Buffer.from('12345'),
    });
    const { location, contentType } = await read(message(pieces, { headers: { location: '/b' } }));
    assert.deepEqual([location, contentType], [undefined, '']);
  });

  it('has a limit', async () => {
    const ten = [Buffer.alloc(4), Buffer.alloc(6)];
    assert.equal((await read(message(ten))).body.length, 10);
    await assert.rejects(read(message([...ten, Buffer.alloc(1)])), /^Error: the answer is longer than 10 bytes$/);
  });

  it('that breaks off keeps the code of its error', async () => {
    const reset = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    await assert.rejects(read(message([Buffer.alloc(1), reset])), (error: unknown) => {
      assert.ok(error instanceof BrokenAnswer);
      assert.deepEqual([error.code, error.message, error.cause], ['ECONNRESET', 'aborted', reset]);
      return true;
    });
  });

  it('that is long waits for a turn, and gives it back', async () => {
    const longAnswers = new LongAnswers(1);
    const long = [Buffer.alloc(LONG_ANSWER_BYTES), Buffer.alloc(1)];
    const options = { longAnswers, maximumAnswerBytes: LONG_ANSWER_BYTES * 2 };
    const held = await longAnswers.enter(forever);
    const controller = new AbortController();
    const waiting = read(message(long), { ...options, signal: controller.signal });
    assert.equal((await read(message(long.slice(0, 1)), options)).body.length, LONG_ANSWER_BYTES, 'a short one waits');
    controller.abort(new Error('over'));
    await assert.rejects(waiting, /over/);
    held[Symbol.dispose]();
    for (let count = 0; count < 2; count++) {
      assert.equal((await read(message(long), options)).body.length, LONG_ANSWER_BYTES + 1);
    }
    await assert.rejects(read(message([...long, new Error('broken')]), options), BrokenAnswer);
    assert.equal((await read(message(long), options)).body.length, LONG_ANSWER_BYTES + 1);
  });
});

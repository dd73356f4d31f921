import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { collectBody } from './body.js';

const LIMIT = 10;
const collect = (source: PassThrough, declared?: string, isComplete = true): Promise<Buffer> =>
  collectBody(source, declared, LIMIT, 60_000, () => isComplete);

const refusal = (code: number) => (error: unknown) => error instanceof StatusError && error.code === code;

/** A stream without content that has said that it ended, while no one listened. */
async function endedStream(): Promise<PassThrough> {
  const source = new PassThrough();
  source.end();
  const ended = once(source, 'end');
  source.read(0);
  await ended;
  return source;
}

describe('collectBody', () => {
  it('joins the chunks', async () => {
    const source = new PassThrough();
    const body = collect(source);
    source.write('ab');
    source.end('cd');
    assert.equal((await body).toString(), 'abcd');
  });

  it('takes a body that ended before it listened for an empty one', async () => {
    assert.equal((await collect(await endedStream())).length, 0);
    assert.equal((await collect(await endedStream(), '0')).length, 0);
  });

  it('refuses a body that ended early, before it listened or after', async () => {
    await assert.rejects(collect(await endedStream(), '3'), refusal(400));
    await assert.rejects(collect(await endedStream(), undefined, false), refusal(400));
    const source = new PassThrough();
    const body = collect(source, '3');
    source.end('a');
    await assert.rejects(body, refusal(400));
  });

  it('refuses what is larger than the limit, by its declared length or by its bytes', async () => {
    await assert.rejects(collect(new PassThrough(), '11'), refusal(413));
    const source = new PassThrough();
    const body = collect(source);
    source.write('x'.repeat(LIMIT + 1));
    await assert.rejects(body, refusal(413));
  });
});

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { joined, SinkStream, sendPieces, withSmallJoined } from './body-writer.js';
import { bodyOf } from './piecewise-body.js';

async function textOf(sink: PassThrough): Promise<string> {
  let text = '';
  for await (const chunk of sink) text += String(chunk);
  return text;
}

it('chunks are joined, a single one without a copy', () => {
  const chunk = Buffer.from('a');
  assert.equal(joined([chunk]), chunk);
  assert.equal(String(joined([chunk, Buffer.from('b')])), 'ab');
  assert.equal(joined([]).length, 0);
});

it('small chunks are joined with their neighbours, and large ones are passed on as they are', () => {
  const [small, large] = [Buffer.alloc(10), Buffer.alloc(5000)];
  const chunks = [...withSmallJoined([small, small, large, small, large, large, small, small])];
  assert.deepEqual(
    chunks.map(({ length }) => length),
    [20, 5000, 10, 5000, 5000, 20],
  );
  assert.deepEqual(
    chunks.filter((chunk) => chunk === large),
    [large, large, large],
  );
});

describe('the pieces of a body', () => {
  it('are sent one after the other, and counted', async () => {
    const sink = new PassThrough();
    const sizes: number[] = [];
    const sending = sendPieces(
      sink,
      bodyOf(() => [Buffer.alloc(5000), Buffer.alloc(6000)]),
      (bytes) => sizes.push(bytes),
    );
    const received = await textOf(sink);
    await sending;
    assert.equal(received.length, 11_000);
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      11_000,
    );
  });

  it('are no longer made once the client has left', async () => {
    const sink = new PassThrough({ highWaterMark: 1 });
    let made = 0;
    const pieces = function* (): Generator<Uint8Array> {
      for (; made < 10; made++) yield Buffer.alloc(100);
    };
    const sending = sendPieces(sink, { length: undefined, pieces }, () => undefined);
    sink.destroy();
    await sending;
    assert.equal(made, 0);
  });

  it('reject with the error of a piece', async () => {
    const pieces = function* (): Generator<Uint8Array> {
      yield Buffer.alloc(0);
      throw new Error('cannot be made');
    };
    const sending = sendPieces(new PassThrough(), { length: undefined, pieces }, () => undefined);
    await assert.rejects(sending, /cannot be made/);
  });
});

describe('the stream of an answer', () => {
  it('counts and writes chunks, and drops those of HEAD', async () => {
    const sink = new PassThrough();
    let bytes = 0;
    const stream = new SinkStream(
      sink,
      (sent) => (bytes += sent),
      () => sink.destroy(),
    );
    stream.write('é');
    stream.writeAll([Buffer.from('b'), Buffer.from('c')]);
    stream.end();
    assert.equal(stream.write('d'), false);
    assert.equal(await textOf(sink), 'ébc');
    assert.equal(bytes, 4);

    const silent = new PassThrough();
    const head = new SinkStream(silent, undefined, () => silent.destroy());
    assert.equal(head.writeAll([Buffer.from('a')]), true);
    head.end();
    assert.equal(await textOf(silent), '');
  });

  it('waits for a client that is behind, and rejects once it has left', async () => {
    const sink = new PassThrough({ highWaterMark: 1 });
    const stream = new SinkStream(
      sink,
      () => undefined,
      () => sink.destroy(),
    );
    await stream.drained();
    assert.equal(stream.write('abc'), false);
    const drained = stream.drained();
    sink.resume();
    await drained;
    sink.pause();
    stream.write('abc');
    const left = stream.drained();
    stream.destroy();
    await assert.rejects(left, { name: 'AbortError' });
    await assert.rejects(stream.drained(), { name: 'AbortError' });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { StatusError } from '@binnacle/apimachinery/status';
import type { UserInfo } from '../authentication/index.js';
import type { Exchange, ResponseStream } from '../request/index.js';
import type { InProcessRequest } from './in-process-exchange.js';
import { LONG_BYTES } from './answer-queue.js';
import { createInProcessServer } from './in-process-server.js';

const user: UserInfo = { name: 'helm', uid: '', groups: ['bridge'], extra: {} };
const get: InProcessRequest = { user, method: 'GET', path: '/depth?unit=fathom' };

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Resolves when all that can run has run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A server on a clock of the test. */
const serverOf = (handler: (exchange: Exchange) => void, clock = new VirtualClock()) =>
  createInProcessServer(handler, clock);

/** A server whose handler opens a stream, and the stream. */
async function streaming(signal?: AbortSignal) {
  let exchange: Exchange | undefined;
  let stream: ResponseStream | undefined;
  const clock = new VirtualClock();
  const server = serverOf((each) => {
    exchange = each;
    stream = each.respondStream(200, {});
  }, clock);
  const answer = await server.send(get, signal);
  assert.ok(exchange !== undefined && stream !== undefined);
  return { server, answer, exchange, stream, clock };
}

describe('in-process server', () => {
  it('hands the request over as it is, and its caller', async () => {
    let seen: Exchange | undefined;
    let body: Promise<Buffer> | undefined;
    const server = serverOf((exchange) => {
      seen = exchange;
      body = exchange.readBody(100);
      exchange.respond(201, { 'content-type': 'text/plain', warning: ['a', 'b'] }, 'sounded');
    });
    const headers = { accept: 'text/plain', 'impersonate-group': ['a', 'b'] };
    const answer = await server.send({ ...get, method: 'POST', headers, body: '{}' });

    assert.equal(seen?.caller, user);
    assert.equal(seen.url, '/depth?unit=fathom');
    assert.equal(seen.headers['impersonate-group'], 'a, b');
    assert.deepEqual(seen.headerValues('impersonate-group'), ['a', 'b']);
    assert.deepEqual(seen.headerValues('accept'), ['text/plain']);
    assert.deepEqual(seen.headerValues('absent'), []);
    assert.equal((await body)?.toString(), '{}');
    assert.equal(answer.status, 201);
    assert.deepEqual(answer.headers, { 'content-type': 'text/plain', warning: 'a, b' });
    assert.equal(await textOf(answer.body), 'sounded');
    assert.equal(seen.bodyBytes, 7);
  });

  it('refuses a body that is longer than the handler reads', async () => {
    let body: Promise<Buffer> | undefined;
    const server = serverOf((exchange) => {
      body = exchange.readBody(2);
      exchange.respond(200, {}, '');
    });
    await server.send({ ...get, body: 'abc' });
    await assert.rejects(
      async () => body,
      (error) => error instanceof StatusError && error.code === 413,
    );
  });

  it('copies the pieces of a body, which may all stand in the same memory', async () => {
    const memory = Buffer.alloc(1);
    const server = serverOf(
      (exchange) =>
        void exchange.respondPieces(
          200,
          {},
          {
            length: 3,
            *pieces() {
              for (const letter of 'abc') {
                memory.write(letter);
                yield memory;
              }
            },
          },
        ),
    );
    assert.equal(await textOf((await server.send(get)).body), 'abc');
  });

  it('sends no body for HEAD', async () => {
    const whole = serverOf((exchange) => exchange.respond(200, {}, 'abc'));
    assert.equal(await textOf((await whole.send({ ...get, method: 'HEAD' })).body), '');
    const pieces = serverOf((exchange) => {
      assert.equal(exchange.respondStream(200, {}).write('abc'), false);
    });
    assert.equal(await textOf((await pieces.send({ ...get, method: 'HEAD' })).body), '');
  });

  it('answers once', async () => {
    const server = serverOf((exchange) => {
      exchange.respond(200, {}, 'first');
      exchange.respond(500, {}, 'second');
      assert.equal(exchange.respondStream(500, {}).write('third'), false);
    });
    const answer = await server.send(get);
    assert.deepEqual([answer.status, await textOf(answer.body)], [200, 'first']);
  });

  it('streams what is written, before and while it is read, to the end', async () => {
    const { stream, answer, exchange } = await streaming();
    assert.equal(stream.write('one '), true);
    assert.equal(stream.pendingBytes, 4);
    const text = textOf(answer.body);
    await settle();
    assert.equal(stream.pendingBytes, 0);
    stream.write(Buffer.from('two '));
    await settle();
    stream.write('three');
    stream.end();
    assert.equal(stream.write('late'), false);
    assert.equal(await text, 'one two three');
    assert.equal(exchange.bodyBytes, 13);
    assert.equal(exchange.signal.aborted, true);
  });

  it('asks the writer to wait for the reader', async () => {
    const { stream, answer } = await streaming();
    assert.equal(stream.write(Buffer.alloc(100_000)), true);
    await stream.drained();
    assert.equal(stream.write(Buffer.alloc(100_000)), false);
    let drained = false;
    const waiting = stream.drained().then(() => (drained = true));
    await settle();
    assert.equal(drained, false);
    const reader = answer.body[Symbol.asyncIterator]();
    await reader.next();
    await waiting;
    assert.equal(drained, true);
  });

  it('tells a writer that waits when the reader leaves', async () => {
    const { stream, answer, exchange } = await streaming();
    stream.write(Buffer.alloc(200_000));
    const waiting = stream.drained();
    for await (const _ of answer.body) break;
    await assert.doesNotReject(waiting);
    assert.deepEqual([exchange.aborted, exchange.signal.aborted], [true, true]);
    assert.equal(stream.write('more'), false);
    await assert.rejects(stream.drained(), { name: 'AbortError' });

    const second = await streaming();
    second.stream.write(Buffer.alloc(200_000));
    const refused = assert.rejects(second.stream.drained(), { name: 'AbortError' });
    second.answer.cancel();
    await refused;
  });

  it('shows the reader that an answer was broken off', async () => {
    const { stream, answer, exchange } = await streaming();
    stream.write('half');
    exchange.destroy();
    await assert.rejects(textOf(answer.body), /broken the answer off/);
  });

  it('ends with the signal, before an answer and within it', async () => {
    const reason = new Error('enough');
    const silent = serverOf(() => undefined);
    await assert.rejects(silent.send(get, AbortSignal.abort(reason)), reason);

    const early = new AbortController();
    let left: AbortSignal | undefined;
    const slow = serverOf((exchange) => (left = exchange.signal));
    const refused = assert.rejects(slow.send(get, early.signal), reason);
    early.abort(reason);
    await refused;
    assert.equal(left?.aborted, true);

    const late = new AbortController();
    const { stream, answer } = await streaming(late.signal);
    stream.write('some');
    const broken = assert.rejects(textOf(answer.body), reason);
    await settle();
    late.abort(reason);
    await broken;
    assert.equal(stream.write('more'), false);
  });

  it('lets requests finish when it closes, and takes no more', async () => {
    const { server, stream, answer } = await streaming();
    let closed = false;
    const closing = server.close({ drainMs: 60_000 }).then(() => (closed = true));
    await assert.rejects(server.send(get), /has stopped/);
    await settle();
    assert.equal(closed, false);
    stream.end();
    await closing;
    assert.equal(await textOf(answer.body), '');
    await server.close({ drainMs: 60_000 });
  });

  it('breaks off what does not finish in time', async () => {
    const { server, answer, clock } = await streaming();
    const broken = assert.rejects(textOf(answer.body), /has stopped/);
    const closing = server.close({ drainMs: 5000 });
    await clock.advance(4999);
    assert.equal(clock.waiting, 1);
    await clock.advance(1);
    await closing;
    await broken;
  });

  it('ends one long answer in a turn, since its reader decodes it at once', async (context) => {
    await settle();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const server = serverOf((exchange) => exchange.respond(200, {}, Buffer.alloc(LONG_BYTES + 1)));
    const order: string[] = [];
    const read = async (): Promise<void> => {
      const { body } = await server.send(get);
      order.push(String((await textOf(body)).length));
      time += 6;
    };
    const others = (async () => {
      for (let turn = 0; turn < 4; turn++) {
        await settle();
        order.push('.');
      }
    })();
    await Promise.all([read(), read(), others]);
    const long = String(LONG_BYTES + 1);
    assert.ok(order.slice(order.indexOf(long), order.lastIndexOf(long)).includes('.'), 'others run in between');
  });
});

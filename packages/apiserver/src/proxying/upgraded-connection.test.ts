import assert from 'node:assert/strict';
import { duplexPair } from 'node:stream';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { RequestContext } from '../request/index.js';
import { FakeExchange, messageOf } from '../testing/index.js';
import { proxyUpgrade } from './upgraded-connection.js';

/** A client and a backend at the two ends of an upgraded connection. */
function connected({ hasLeft = false } = {}) {
  const clock = new VirtualClock();
  const exchange = new FakeExchange({});
  const context = new RequestContext(exchange, '/', new URLSearchParams(), 0);
  const [client, socket] = duplexPair();
  const [backend, inner] = duplexPair();
  const received = { client: '', backend: '' };
  client.on('data', (piece: Buffer) => (received.client += piece.toString()));
  backend.on('data', (piece: Buffer) => (received.backend += piece.toString()));
  const message = messageOf({ status: 101 });
  message.statusMessage = 'Switching Protocols';
  message.rawHeaders = ['Upgrade', 'SPDY/3.1', 'X-Set', 'a', 'X-Set', 'b'];
  const take = () => (hasLeft ? undefined : { socket, head: Buffer.from('early') });
  let isOver = false;
  const over = proxyUpgrade(context, { take }, { message, socket: inner, head: Buffer.from('first') }, clock).then(
    () => (isOver = true),
  );
  return { clock, exchange, context, client, backend, socket, inner, received, over, isOver: () => isOver };
}

/** Enough turns for bytes to pass four streams. */
async function passed(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await settle();
}

const HEAD = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\nX-Set: a\r\nX-Set: b\r\n\r\n';

describe('an upgraded connection', () => {
  it('passes on the head of the answer, what came with it, and all that follows', async () => {
    const { client, backend, socket, received, context, over } = connected();
    client.write('ping');
    backend.write('pong');
    await passed();
    assert.deepEqual(received, { client: `${HEAD}firstpong`, backend: 'earlyping' });
    assert.equal(context.deadline, Number.POSITIVE_INFINITY);
    socket.destroy();
    await over;
  });

  it('passes on what was sent before an end, and closes soon after it', async () => {
    const { client, backend, received, clock, isOver, socket, inner } = connected();
    backend.end('last words');
    await passed();
    assert.equal(received.client, `${HEAD}firstlast words`);
    client.write('answer');
    await passed();
    assert.equal(received.backend, 'earlyanswer');
    await clock.advance(9999);
    assert.equal(isOver(), false);
    await clock.advance(1);
    await passed();
    assert.deepEqual([isOver(), socket.destroyed, inner.destroyed], [true, true, true]);
  });

  for (const [what, close] of [
    ['the client', ({ socket }) => socket.destroy()],
    ['the backend', ({ inner }) => inner.destroy()],
    ['the exchange', ({ exchange }) => exchange.disconnect()],
  ] satisfies [string, (connection: ReturnType<typeof connected>) => unknown][]) {
    it(`closes both sides when ${what} closes`, async () => {
      const connection = connected();
      await passed();
      close(connection);
      await connection.over;
      assert.deepEqual([connection.socket.destroyed, connection.inner.destroyed], [true, true]);
    });
  }

  it('is closed if the client has left', async () => {
    const { over, inner } = connected({ hasLeft: true });
    await over;
    assert.equal(inner.destroyed, true);
  });
});

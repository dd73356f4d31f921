import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { enter } from '../../slices/index.js';
import { GuardedSocket } from './guarded-socket.js';

const MAXIMUM = 10;
/** Of TLS: five bytes, an empty one. */
const RECORD = '\x17\x03\x03\x00\x00';

describe('a guarded socket', () => {
  function connect(): { socket: Socket; guarded: GuardedSocket; seen: string[]; goOn: () => void } {
    const socket = new Socket();
    const waiting: (() => void)[] = [];
    const guarded = new GuardedSocket(socket, MAXIMUM, {
      enter: (_, goOn) => void waiting.push(goOn),
      leave: () => undefined,
    });
    const seen: string[] = [];
    guarded.on('data', (bytes: Buffer) => seen.push(bytes.toString()));
    guarded.resume();
    return { socket, guarded, seen, goOn: () => waiting.shift()?.() };
  }
  const receive = (socket: Socket, text: string): boolean => socket.emit('data', Buffer.from(text));

  it('reads on only when its turn has come', () => {
    const { socket, seen, goOn, guarded } = connect();
    receive(socket, RECORD);
    assert.deepEqual([seen, socket.isPaused()], [[], true]);
    guarded.resume();
    assert.equal(socket.isPaused(), true, 'there are bytes to read first');
    goOn();
    assert.deepEqual([seen, socket.isPaused()], [[RECORD], false]);
  });

  it('stays paused when TLS wants no more', () => {
    const { socket, guarded, goOn } = connect();
    guarded.on('data', () => guarded.pause());
    receive(socket, RECORD);
    goOn();
    assert.equal(socket.isPaused(), true);
    guarded.resume();
    assert.equal(socket.isPaused(), false);
  });

  it('passes what arrives after the handshake on when the turn of its client has come', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const { socket, guarded, seen } = connect();
    guarded.secured();
    receive(socket, 'one');
    assert.deepEqual([seen, socket.isPaused()], [['one'], false]);
    time = 3;
    receive(socket, 'two');
    socket.emit('end');
    assert.deepEqual([seen, socket.isPaused()], [['one'], true]);
    const ended = once(guarded, 'end');
    await loop();
    assert.deepEqual(seen, ['one', 'two']);
    await ended;
    await loop();
  });

  it('ends in the turn of its client', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const { socket, guarded } = connect();
    const order: string[] = [];
    for (const event of ['error', 'close']) guarded.on(event, () => order.push(event));
    enter({ client: 'other' }, () => (time += 3));
    const closed = once(socket, 'close');
    socket.destroy(new Error('reset'));
    await closed.catch(() => undefined);
    const before = [...order];
    while (order.length < 2) await loop();
    assert.deepEqual([before, order], [[], ['error', 'close']]);
    await loop();
  });

  it('cuts a client off that sends more than a handshake may take', () => {
    const { socket, seen, goOn } = connect();
    receive(socket, RECORD);
    goOn();
    receive(socket, RECORD);
    goOn();
    assert.deepEqual([seen.join(''), socket.destroyed], [RECORD + RECORD, false]);
    receive(socket, RECORD);
    goOn();
    assert.deepEqual([seen.join(''), socket.destroyed], [RECORD + RECORD, true]);
  });

  it('cuts a client off before TLS sees a certificate that must not be verified', () => {
    const { socket, seen, goOn } = connect();
    // A list of certificates that ends early.
    receive(socket, '\x16\x03\x03\x00\x04\x0b\x00\x00\x00');
    goOn();
    assert.deepEqual([seen, socket.destroyed], [[], true]);
  });

  it('answers a request in plain HTTP, which TLS does not see', () => {
    for (const request of ['GET / HTTP/1.1\r\n', 'POST /api', 'PUT /api', 'HEAD /', 'OPTIONS *']) {
      const { socket, seen, goOn } = connect();
      const written: string[] = [];
      socket.end = ((text: string) => void written.push(text)) as unknown as Socket['end'];
      receive(socket, request);
      goOn();
      receive(socket, RECORD);
      assert.deepEqual(seen, []);
      assert.deepEqual(written, ['HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n']);
    }
  });

  it('reports the end last, though the socket ends while bytes wait for their turn', () => {
    const { socket, seen, goOn, guarded } = connect();
    guarded.on('end', () => seen.push('end'));
    receive(socket, RECORD);
    socket.emit('end');
    assert.deepEqual(seen, []);
    goOn();
    assert.deepEqual(seen, [RECORD, 'end']);
  });

  it('passes on all that follows a handshake, be it in the same bytes', () => {
    const { socket, seen, goOn, guarded } = connect();
    guarded.on('data', () => guarded.secured());
    receive(socket, `${RECORD}${RECORD}GET /livez`);
    goOn();
    receive(socket, 'GET /readyz');
    assert.deepEqual([seen.join(''), socket.destroyed], [`${RECORD}${RECORD}GET /livezGET /readyz`, false]);
  });
});

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { FakeBackend, messageOf, type Reaction } from '../testing/index.js';
import { BackendCall } from './backend-call.js';

const refused = (): Error => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const reset = (): Error => Object.assign(new Error('reset'), { code: 'ECONNRESET' });

function callOf(reactions: readonly Reaction[], reused: readonly boolean[] = []) {
  const [left, sockets] = [[...reactions], [...reused]];
  const backends = new FakeBackend(
    () => left.shift(),
    () => sockets.shift() ?? false,
  );
  const request = { method: 'GET', url: '/x', headers: {}, signal: new AbortController().signal };
  return { backends, call: new BackendCall(() => backends.open(request)) };
}

const bodyOf = (...pieces: readonly string[]) => Readable.from(pieces.map((piece) => Buffer.from(piece)));

describe('a request to a backend', () => {
  it('resolves with the head of the answer', async () => {
    const message = messageOf({ status: 418 });
    const { call, backends } = callOf([message]);
    assert.deepEqual(await call.send(undefined), { message, upgraded: undefined });
    assert.equal(backends.received.length, 1);
  });

  it('sends a body in pieces', async () => {
    const { call, backends } = callOf([messageOf()]);
    await call.send(bodyOf('ab', 'cd'));
    assert.equal(backends.received[0]?.body, 'abcd');
  });

  it('resolves with the connection when the backend switches protocols', async () => {
    const { call, backends } = callOf([{ upgraded: messageOf({ status: 101 }) }]);
    const { upgraded } = await call.send(undefined);
    assert.equal(upgraded?.socket, backends.upgraded[0]);
  });

  it('fails when the client breaks its body off', async () => {
    const { call, backends } = callOf([messageOf()]);
    const broken = new Readable({ read: () => broken.destroy(new Error('the client has left')) });
    await assert.rejects(call.send(broken), /the client has left/);
    assert.equal(backends.received.length, 0);
  });
});

describe('a kept connection that the backend has closed', () => {
  it('is replaced once', async () => {
    const { call, backends } = callOf([reset(), messageOf()], [true]);
    await call.send(undefined);
    assert.equal(backends.received.length, 2);
    await assert.rejects(callOf([reset(), reset()], [true, true]).call.send(undefined), /reset/);
  });

  const fatal: readonly (readonly [name: string, error: Error, reused: boolean, body: string | undefined])[] = [
    ['a new connection is closed', reset(), false, undefined],
    ['another error happens', refused(), true, undefined],
    ['the request has a body, which is gone', reset(), true, 'x'],
  ];
  for (const [name, error, reused, body] of fatal) {
    it(`is not replaced when ${name}`, async () => {
      const { call, backends } = callOf([error, messageOf()], [reused]);
      await assert.rejects(call.send(body === undefined ? undefined : bodyOf(body)), error);
      assert.equal(backends.received.length, 1);
    });
  }
});

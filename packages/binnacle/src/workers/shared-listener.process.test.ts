import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { type ConnectionTaker, SharedListener } from './shared-listener.js';

/** A process whose answers the test decides. It writes its name to each connection. */
class FakeTaker implements ConnectionTaker {
  readonly name: string;
  readonly given: Socket[] = [];
  #answer: { resolve: () => void; reject: (error: Error) => void } | undefined;
  readonly #waits: boolean;

  constructor(name: string, waits = false) {
    this.name = name;
    this.#waits = waits;
  }

  call(_name: 'connection', _argument: undefined, socket: Socket): Promise<unknown> {
    this.given.push(socket);
    if (!this.#waits) {
      socket.end(this.name);
      return Promise.resolve();
    }
    return new Promise<void>((resolve, reject) => {
      this.#answer = { resolve, reject };
    });
  }

  fail(): void {
    this.#answer?.reject(new Error('ended'));
  }
}

function answerOf(port: number): Promise<string> {
  return textOf(connect(port, '127.0.0.1'));
}

async function textOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  return text;
}

describe('a shared listener', () => {
  it('gives connections to processes in turn', async () => {
    const listener = new SharedListener();
    const port = await listener.listen('127.0.0.1', 0);
    const [one, two] = [new FakeTaker('one'), new FakeTaker('two')];
    listener.join(one);
    listener.join(two);
    assert.deepEqual(await Promise.all([answerOf(port), answerOf(port)]).then((names) => names.sort()), ['one', 'two']);
    listener.leave(one);
    listener.leave(one);
    assert.equal(await answerOf(port), 'two');
    assert.equal(await answerOf(port), 'two');
    listener.close();
  });

  it('lets connections wait for a process', async () => {
    const listener = new SharedListener();
    const port = await listener.listen('127.0.0.1', 0);
    const waiting = answerOf(port);
    await new Promise((resolve) => setTimeout(resolve, 20));
    listener.join(new FakeTaker('late'));
    assert.equal(await waiting, 'late');
    listener.close();
  });

  it('lets a crowd wait, and loses none', async () => {
    const listener = new SharedListener();
    const port = await listener.listen('127.0.0.1', 0);
    const answers: Promise<string>[] = [];
    // One by one, because the kernel accepts only some at once.
    for (let index = 0; index < 1200; index += 1) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      answers.push(textOf(socket).catch((error: Error) => error.message));
    }
    listener.join(new FakeTaker('late'));
    const others = (await Promise.all(answers)).filter((text) => text !== 'late');
    listener.close();
    assert.deepEqual(others, []);
  });

  it('gives a process the next connection when it has received the one before, and closes one that never arrived', async () => {
    const listener = new SharedListener();
    const port = await listener.listen('127.0.0.1', 0);
    const [stuck, other] = [new FakeTaker('stuck', true), new FakeTaker('other')];
    listener.join(stuck);
    const first = answerOf(port);
    while (stuck.given.length === 0) await new Promise(setImmediate);
    listener.join(other);
    assert.equal(await answerOf(port), 'other');
    assert.equal(await answerOf(port), 'other');
    assert.equal(stuck.given.length, 1);
    listener.leave(stuck);
    stuck.fail();
    assert.equal(await first, '');
    listener.close();
  });

  it('closes the port when the last process has left, once it stops', async () => {
    const listener = new SharedListener();
    const port = await listener.listen('127.0.0.1', 0);
    const taker = new FakeTaker('last');
    listener.join(taker);
    listener.stop();
    assert.equal(await answerOf(port), 'last');
    listener.leave(taker);
    await assert.rejects(answerOf(port), { code: 'ECONNREFUSED' });
  });

  it('ends what waits when it closes, and reports a port in use', async () => {
    const listener = new SharedListener();
    const port = await listener.listen('127.0.0.1', 0);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    await assert.rejects(new SharedListener().listen('127.0.0.1', port), { code: 'EADDRINUSE', syscall: 'listen' });
    listener.close();
    socket.on('error', () => undefined);
    await once(socket, 'close');
  });
});

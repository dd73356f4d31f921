import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StartError } from '../embed/index.js';
import { Channel } from './channel.js';

interface Near {
  readonly add: { readonly argument: readonly [number, number]; readonly answer: number };
  readonly fail: { readonly argument: Error; readonly answer: void };
}
interface Far {
  readonly double: { readonly argument: number; readonly answer: number };
}

async function rejectWith(error: Error): Promise<void> {
  throw error;
}

/** Two ends of a pipe that keeps the order of messages. `cut` makes every further send fail. */
function pair() {
  let broken: Error | undefined;
  const send =
    (to: () => { receive(message: unknown): void }) =>
    (message: unknown, failed: (error: Error) => void): void =>
      queueMicrotask(() => (broken === undefined ? to().receive(message) : failed(broken)));
  const near: Channel<Near, Far> = new Channel<Near, Far>(
    { send: send(() => far) },
    { add: ([one, other]) => one + other, fail: rejectWith },
  );
  const far: Channel<Far, Near> = new Channel<Far, Near>(
    { send: send(() => near) },
    { double: (number) => far.call('add', [number, number]) },
  );
  const cut = (error: Error): void => {
    broken = error;
  };
  return { near, far, cut };
}

describe('a channel', () => {
  it('carries calls in both directions at once', async () => {
    const { near, far } = pair();
    const answers = await Promise.all([near.call('double', 4), far.call('add', [1, 2]), near.call('double', 5)]);
    assert.deepEqual(answers, [8, 3, 10]);
  });

  it('rejects with the failure of the other side, of which a StartError keeps its class', async () => {
    const { far } = pair();
    await assert.rejects(far.call('fail', new Error('no')), { message: 'no', name: 'Error' });
    await assert.rejects(far.call('fail', new TypeError('odd')), { message: 'odd', name: 'Error' });
    await assert.rejects(
      far.call('fail', new StartError('usage', 'the port is wrong')),
      (error) => error instanceof StartError && error.code === 'usage' && error.message === 'the port is wrong',
    );
  });

  it('rejects the calls that wait, and later ones, when it closes or when the pipe breaks', async () => {
    const { near, cut } = pair();
    cut(new Error('gone'));
    await assert.rejects(near.call('double', 1), /gone/);
    await assert.rejects(near.call('double', 1), /gone/);
    const { far } = pair();
    const waiting = far.call('add', [1, 1]);
    far.close(new Error('the worker has ended'));
    await assert.rejects(waiting, /the worker has ended/);
  });

  it('ignores messages that are none of its own, and refuses calls that it does not know', async () => {
    const { near } = pair();
    near.receive('ready');
    near.receive({ type: 'other' });
    near.receive({ answer: 99, value: 1 });
    const sent: unknown[] = [];
    const alone = new Channel<Far, Near>({ send: (message) => sent.push(message) }, { double: (number) => number });
    alone.receive({ call: 1, name: 'constructor', argument: 1 });
    await new Promise(setImmediate);
    assert.deepEqual(sent, [{ answer: 1, failure: { message: 'the other process does not know constructor' } }]);
  });
});

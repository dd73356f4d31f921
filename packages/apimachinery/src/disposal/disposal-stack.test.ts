import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildFrom, DisposalStack, disposeTogether } from './disposal-stack.js';

describe('DisposalStack', () => {
  it('disposes in reverse order, once, each part after the one before has ended', async () => {
    const calls: string[] = [];
    const stack = new DisposalStack();
    stack.defer(() => void calls.push('first'));
    stack.defer(async () => {
      calls.push('second begins');
      await Promise.resolve();
      calls.push('second ends');
    });
    const third = { [Symbol.dispose]: () => void calls.push('third') };
    assert.equal(stack.use(third), third);
    await Promise.all([stack.dispose(), stack.dispose()]);
    await stack[Symbol.asyncDispose]();
    assert.deepEqual(calls, ['third', 'second begins', 'second ends', 'first']);
  });

  it('goes on after a failure, and rejects with the first', async () => {
    const calls: string[] = [];
    const stack = new DisposalStack();
    stack.defer(() => void calls.push('first'));
    stack.defer(() => assert.fail('late'));
    stack.defer(() => Promise.reject(new Error('early')));
    await assert.rejects(stack.dispose(), /^Error: early$/);
    assert.deepEqual(calls, ['first']);
  });
});

describe('disposeTogether', () => {
  it('begins with all parts at once, and rejects with a failure when all have ended', async () => {
    const calls: string[] = [];
    const slow = async (): Promise<void> => {
      calls.push('slow begins');
      await Promise.resolve();
      calls.push('slow ends');
    };
    const failing = (): void => {
      calls.push('failing');
      throw new Error('cannot be closed');
    };
    await assert.rejects(disposeTogether([failing, slow]), /^Error: cannot be closed$/);
    assert.deepEqual(calls, ['failing', 'slow begins', 'slow ends']);
  });
});

describe('buildFrom', () => {
  it('leaves the parts of a success open', async () => {
    let open = 0;
    const stack = await buildFrom(async (parts) => {
      open++;
      parts.defer(() => void open--);
      return parts;
    });
    assert.equal(open, 1);
    await stack.dispose();
    assert.equal(open, 0);
  });

  it('disposes of the parts of a failure, and rejects with it although a part fails too', async () => {
    let open = 0;
    const building = buildFrom(async (parts) => {
      open++;
      parts.defer(() => void open--);
      parts.defer(() => assert.fail('cannot be closed'));
      throw new Error('cannot be opened');
    });
    await assert.rejects(building, /^Error: cannot be opened$/);
    assert.equal(open, 0);
  });
});

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import { TerminalInput } from './terminal-input.js';

/** A person at a terminal. */
function person() {
  const keys = new PassThrough();
  let [echoed, interrupts] = ['', 0];
  const input = new TerminalInput(
    keys,
    async (bytes) => void (echoed += String(bytes)),
    () => interrupts++,
  );
  const lines = input[Symbol.asyncIterator]();
  const type = async (text: string | Buffer): Promise<void> => {
    keys.write(text);
    for (let turn = 0; turn < 5; turn++) await settle();
  };
  const next = async (): Promise<string | undefined> => {
    const result = await lines.next();
    return result.done === true ? undefined : String(result.value);
  };
  return { keys, type, next, seen: () => ({ echoed, interrupts }) };
}

describe('TerminalInput', () => {
  for (const [what, typed, line, echoed] of [
    ['a line', 'ab\r', 'ab\n', 'ab\r\n'],
    ['several lines in one piece', 'a\rb\r', 'a\nb\n', 'a\r\nb\r\n'],
    ['a backspace', 'ax\u007fb\r', 'ab\n', 'ax\b \bb\r\n'],
    ['a backspace on an empty line', '\u007f\bb\r', 'b\n', 'b\r\n'],
    ['an arrow', 'a\u001b[Ab\r', 'ab\n', 'ab\r\n'],
    ['^D in a line', 'a\u0004\r', 'a\n', 'a\r\n'],
  ] as const) {
    it(`passes and echoes ${what}`, async () => {
      const { type, next, seen } = person();
      await type(typed);
      assert.equal(await next(), line);
      assert.deepEqual(seen(), { echoed, interrupts: 0 });
    });
  }

  it('passes a line only when it is whole, and a character in two pieces', async () => {
    const { type, next, seen } = person();
    const line = next();
    const bytes = Buffer.from('é');
    await type(bytes.subarray(0, 1));
    assert.equal(seen().echoed, '');
    await type(bytes.subarray(1));
    assert.equal(seen().echoed, 'é');
    await type('\r');
    assert.equal(await line, 'é\n');
  });

  it('ends at ^D on an empty line, after the lines before', async () => {
    const { type, next, seen } = person();
    await type('a\r\u0004more\r');
    assert.deepEqual([await next(), await next()], ['a\n', undefined]);
    assert.equal(seen().echoed, 'a\r\n');
  });

  it('ends with the input of the client, and without an unfinished line', async () => {
    const { keys, type, next } = person();
    const ending = next();
    await type('half');
    keys.end();
    assert.equal(await ending, undefined);
  });

  it('ends when the connection breaks', async () => {
    const { keys, next } = person();
    const ending = next();
    keys.destroy(new Error('reset'));
    assert.equal(await ending, undefined);
  });

  it('interrupts a command that runs', async () => {
    const { type, next, seen } = person();
    await type('sleep 60\r');
    assert.equal(await next(), 'sleep 60\n');
    await type('half\u0003');
    assert.deepEqual(seen(), { echoed: 'sleep 60\r\nhalf^C\r\n', interrupts: 1 });
    assert.equal(await next(), undefined);
  });

  it('drops the line at ^C while the command waits for one', async () => {
    const { type, next, seen } = person();
    const line = next();
    await type('half\u0003');
    assert.equal(await line, '\n');
    await type('whole\r');
    assert.equal(await next(), 'whole\n');
    assert.equal(seen().interrupts, 0);
  });

  it('lets the client wait while the command takes no lines', async () => {
    const { keys, type, next, seen } = person();
    const line = `${'x'.repeat(999)}\r`;
    for (let count = 0; count < 200; count++) await type(line);
    const held = seen().echoed.length;
    assert.ok(held < 80 * 1001, `${held} characters are taken`);
    keys.end();
    let passed = 0;
    for (let lines = await next(); lines !== undefined; lines = await next()) passed += lines.length;
    assert.equal(passed, 200_000);
  });
});

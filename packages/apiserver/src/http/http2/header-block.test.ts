import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConnectionError } from './error-codes.js';
import { CONTINUATION, type Frame, HEADERS } from './frames.js';
import { HeaderBlock, withoutPadding } from './header-block.js';

const frame = (flags: number, payload: string, type = HEADERS, streamId = 1): Frame => ({
  type,
  flags,
  streamId,
  payload: Buffer.from(payload, 'latin1'),
});

describe('a header block', () => {
  it('joins its fragments without padding and priority', () => {
    const block = new HeaderBlock(frame(0x29, '\x02\0\0\0\0\x10ab\0\0'), 100);
    assert.deepEqual([block.endsStream, block.isComplete], [true, false]);
    block.add(frame(0, '', CONTINUATION));
    block.add(frame(4, 'cd', CONTINUATION));
    assert.equal(block.isComplete, true);
    assert.equal(block.toBuffer().toString(), 'abcd');
    assert.equal(block.bytes, 4);
  });

  it('is complete in one frame', () => {
    const block = new HeaderBlock(frame(4, 'ab'), 100);
    assert.deepEqual([block.endsStream, block.isComplete, block.toBuffer().toString()], [false, true, 'ab']);
  });

  it('refuses fragments of other streams, too many bytes and too many fragments', () => {
    assert.throws(() => new HeaderBlock(frame(0, 'ab'), 100).add(frame(0, '', CONTINUATION, 3)), ConnectionError);
    assert.throws(() => new HeaderBlock(frame(0, 'ab'), 3).add(frame(0, 'cd', CONTINUATION)), ConnectionError);
    const block = new HeaderBlock(frame(0, 'ab'), 100);
    assert.throws(() => {
      for (let count = 0; count < 200; count++) block.add(frame(0, '', CONTINUATION));
    }, ConnectionError);
  });

  it('refuses padding and priority that do not fit', () => {
    assert.throws(() => new HeaderBlock(frame(0x20, '\0\0\0\0'), 100), ConnectionError);
    for (const payload of ['', '\x01', '\x03ab']) {
      assert.throws(() => withoutPadding(frame(8, payload, 0)), ConnectionError);
    }
    assert.equal(withoutPadding(frame(8, '\x01ab', 0)).toString(), 'a');
    assert.equal(withoutPadding(frame(8, '\0', 0)).toString(), '');
  });
});

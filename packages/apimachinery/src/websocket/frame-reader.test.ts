import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { frame } from './client.testing.js';
import { FrameReader } from './frame-reader.js';
import { BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT } from './frames.js';

/** The frames in these pieces, as `kind text`; a part is in brackets that are round where its message goes on. */
function read(...pieces: readonly Buffer[]): string[] {
  const reader = new FrameReader();
  const found: string[] = [];
  for (const piece of pieces) {
    reader.add(Buffer.from(piece));
    for (let next = reader.next(); next !== undefined; next = reader.next()) {
      const text = String(next.bytes);
      found.push(
        next.kind === 'part' ? `${next.isFirst ? '[' : '('}${text}${next.isLast ? ']' : ')'}` : `${next.kind} ${text}`,
      );
    }
  }
  return found;
}

/** Messages, whatever the pieces: the text of each, by joining its parts. */
function messages(frames: readonly string[]): string {
  return frames.join('').replaceAll(')(', '');
}

describe('FrameReader', () => {
  it('reads messages, fragments and control frames between them', () => {
    const bytes = [
      frame(BINARY, '\u0000in'),
      frame(TEXT, 'one', false),
      frame(PING, 'p'),
      frame(CONTINUATION, '-two', false),
      frame(CONTINUATION, '-three'),
      frame(PONG, ''),
      frame(BINARY, ''),
      frame(CLOSE, 'x'),
    ];
    const expected = ['[\u0000in]', '[one)', 'ping p', '(-two)', '(-three]', 'pong ', '[]', 'close x'];
    assert.deepEqual(read(Buffer.concat(bytes)), expected);
  });

  it('passes a long message on as it arrives, and holds none of it', () => {
    const long = frame(BINARY, 'x'.repeat(100_000));
    const pieces = [long.subarray(0, 40_000), long.subarray(40_000, 99_999), long.subarray(99_999)];
    const parts = read(...pieces);
    assert.equal(parts.length, 3);
    assert.equal(messages(parts), `[${'x'.repeat(100_000)}]`);
  });

  it('finds the same messages in single bytes, where a first part has two bytes at least', () => {
    const all = Buffer.concat([
      frame(BINARY, 'a'),
      frame(BINARY, 'bcd'),
      frame(BINARY, '', false),
      frame(CONTINUATION, 'e', false),
      frame(CONTINUATION, '', false),
      frame(CONTINUATION, 'fg'),
      frame(BINARY, 'h'.repeat(200)),
      frame(BINARY, 'i', false),
      frame(CONTINUATION, ''),
    ]);
    const parts = read(...Array.from(all, (_, index) => all.subarray(index, index + 1)));
    assert.equal(messages(parts), `[a][bcd][efg][${'h'.repeat(200)}][i]`);
    for (const part of parts) assert.match(part, /^\(|^\[..|\]$/);
  });

  it('reads many empty fragments without a part', () => {
    const empty = Array.from({ length: 10_000 }, () => frame(CONTINUATION, '', false));
    assert.deepEqual(read(Buffer.concat([frame(BINARY, 'ab', false), ...empty])), ['[ab)']);
  });

  for (const [what, bytes] of [
    ['a reserved bit', Buffer.from([0xc2, 0x80])],
    ['no mask', Buffer.from([0x82, 0x01])],
    ['an unknown kind', Buffer.from([0x83, 0x80])],
    ['an unknown kind of control', Buffer.from([0x8b, 0x80])],
    ['a continuation without a beginning', frame(CONTINUATION, 'a')],
    ['a message within a message', Buffer.concat([frame(BINARY, 'ab', false), frame(BINARY, 'c')])],
    ['a ping in fragments', frame(PING, 'a', false)],
    ['a long ping', frame(PING, 'a'.repeat(126))],
    ['a length beyond all numbers', Buffer.from([0x82, 0xff, ...Array.from({ length: 8 }, () => 0xff), 0, 0, 0, 0])],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(() => read(bytes), { name: 'WebSocketError' });
    });
  }
});

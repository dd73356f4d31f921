import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FrameReader } from './frame-reader.js';
import { dataFrames, type Frame, goAwayFrame, openFrame, pingFrame, replyFrame, resetFrame } from './frames.js';

const block = Buffer.from('block');

function read(...chunks: readonly Buffer[]): Frame[] {
  const reader = new FrameReader();
  return chunks.flatMap((chunk) => {
    reader.add(chunk);
    const frames: Frame[] = [];
    for (let frame = reader.next(); frame !== undefined; frame = reader.next()) frames.push(frame);
    return frames;
  });
}

/** Frames that Go's `spdystream` writes. */
const written: readonly (readonly [Buffer, string])[] = [
  [resetFrame(1, 5), '80030003000000080000000100000005'],
  [pingFrame(1), '800300060000000400000001'],
  [goAwayFrame(3), '80030007000000080000000300000000'],
  [Buffer.concat(dataFrames(1, Buffer.from('hi'), true)), '00000001010000026869'],
  [openFrame(1, Buffer.from('0a', 'hex')), '800300010000000b000000010000000000000a'],
  [replyFrame(2, Buffer.alloc(0)), '800300020000000400000002'],
];

describe('frames', () => {
  it('have the bytes of upstream', () => {
    for (const [bytes, hex] of written) assert.equal(bytes.toString('hex'), hex);
  });

  it('of data hold at most 32 KiB, and the last one ends', () => {
    const bytes = Buffer.alloc(70_000, 'x');
    const frames = read(Buffer.concat(dataFrames(7, bytes, true)));
    assert.deepEqual(
      frames.map((frame) => (frame.kind === 'data' ? [frame.bytes.length, frame.fin] : frame.kind)),
      [
        [32_768, false],
        [32_768, false],
        [4464, true],
      ],
    );
  });
});

describe('FrameReader', () => {
  const expected: Frame[] = [
    { kind: 'open', streamId: 1, block, fin: false },
    { kind: 'reply', streamId: 1, block, fin: false },
    { kind: 'data', streamId: 1, bytes: Buffer.alloc(0), fin: true },
    { kind: 'reset', streamId: 1, status: 5 },
    { kind: 'ping', id: 2 },
    { kind: 'goAway' },
    { kind: 'ignored' },
  ];
  const settings = Buffer.from('800300040000000400000000', 'hex');
  const bytes = Buffer.concat([
    openFrame(1, block),
    replyFrame(1, block),
    ...dataFrames(1, Buffer.alloc(0), true),
    resetFrame(1, 5),
    pingFrame(2),
    goAwayFrame(1),
    settings,
  ]);

  it('finds frames in one chunk and in single bytes', () => {
    assert.deepEqual(read(bytes), expected);
    assert.deepEqual(read(...[...bytes].map((byte) => Buffer.from([byte]))), expected);
  });

  it('passes data on before its frame is complete', () => {
    const [head = block, payload = block] = dataFrames(3, Buffer.from('hello'), true);
    assert.deepEqual(read(Buffer.concat([head, payload.subarray(0, 2)]), payload.subarray(2)), [
      { kind: 'data', streamId: 3, bytes: Buffer.from('he'), fin: false },
      { kind: 'data', streamId: 3, bytes: Buffer.from('llo'), fin: true },
    ]);
  });

  for (const [what, hex] of [
    ['of another version', '800200060000000400000001'],
    ['of an unknown type', '800300630000000400000001'],
    ['that are too large', '8003000100ffffff'],
    ['that are too short', '8003000300000000'],
    ['of stream zero', '80030003000000080000000000000005'],
    ['of data of stream zero', '0000000000000000'],
  ] as const) {
    it(`refuses frames ${what}`, () => {
      assert.throws(() => read(Buffer.from(hex, 'hex')), { name: 'SpdyError' });
    });
  }
});

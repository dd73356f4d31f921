import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConnectionError } from './error-codes.js';
import { FrameReader } from './frame-reader.js';
import { DATA, type Frame, frameHead, frameOf, headerFrames, PING, SETTINGS, settingsFrame } from './frames.js';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

function framesIn(reader: FrameReader): Frame[] {
  const frames: Frame[] = [];
  for (let frame = reader.next(); frame !== undefined; frame = reader.next()) frames.push(frame);
  return frames;
}

describe('a frame reader', () => {
  it('finds frames however their bytes arrive', () => {
    const bytes = Buffer.concat([
      preface,
      settingsFrame([[4, 100]]),
      frameOf(SETTINGS, 1, 0),
      frameHead(300, DATA, 1, 2 ** 31 - 1),
      Buffer.alloc(300, 'x'),
      frameOf(PING, 0, 0, 1, 2 ** 32 - 1),
    ]);
    for (const size of [1, 2, 7, 50, bytes.length]) {
      const reader = new FrameReader(1000);
      const frames: Frame[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        reader.add(Buffer.from(bytes.subarray(at, at + size)));
        frames.push(...framesIn(reader));
      }
      assert.deepEqual(
        frames.map(({ type, flags, streamId, payload }) => [type, flags, streamId, payload.toString('latin1')]),
        [
          [SETTINGS, 0, 0, '\0\x04\0\0\0\x64'],
          [SETTINGS, 1, 0, ''],
          [DATA, 1, 2 ** 31 - 1, 'x'.repeat(300)],
          [PING, 0, 0, '\0\0\0\x01\xff\xff\xff\xff'],
        ],
        `pieces of ${size}`,
      );
    }
  });

  it('reads on where it was interrupted', () => {
    const reader = new FrameReader(1000);
    reader.add(Buffer.concat([preface, frameOf(PING, 0, 0, 1, 2), frameOf(PING, 0, 0, 3, 4)]));
    assert.equal(reader.next()?.payload.readUInt32BE(0), 1);
    reader.add(frameOf(PING, 0, 0, 5, 6));
    assert.deepEqual(
      framesIn(reader).map(({ payload }) => payload.readUInt32BE(0)),
      [3, 5],
    );
  });

  it('refuses another preface, and frames that are too large', () => {
    for (const bytes of [Buffer.from('GET / HTTP/1.1'), Buffer.concat([preface, frameHead(1001, DATA, 0, 1)])]) {
      const reader = new FrameReader(1000);
      reader.add(bytes);
      assert.throws(() => reader.next(), ConnectionError);
    }
  });
});

it('header frames are cut at the size of a frame', () => {
  const parts = headerFrames(5, Buffer.from('abcdefg'), true, 3);
  const reader = new FrameReader(1000);
  reader.add(Buffer.concat([preface, ...parts]));
  assert.deepEqual(
    framesIn(reader).map(({ type, flags, payload }) => [type, flags, payload.toString()]),
    [
      [1, 1, 'abc'],
      [9, 0, 'def'],
      [9, 4, 'g'],
    ],
  );
  assert.equal(Buffer.concat(headerFrames(5, Buffer.alloc(0), false, 3)).toString('hex'), '000000010400000005');
});

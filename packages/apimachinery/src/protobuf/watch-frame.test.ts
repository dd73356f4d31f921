import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { DecodeError } from '../serializer/index.js';
import { frameWatchEvent, readWatchEvent, readWatchFrames } from './index.js';

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const size of sizes) {
    yield bytes.subarray(start, start + size);
    start += size;
  }
  yield bytes.subarray(start);
}

async function read(chunks: AsyncIterable<Uint8Array>, maxBytes?: number): Promise<{ type: string; object: string }[]> {
  const events = [];
  for await (const frame of readWatchFrames(chunks, maxBytes)) {
    const { type, object } = readWatchEvent(frame);
    events.push({ type, object: Buffer.from(object).toString() });
  }
  return events;
}

it('a watch event is the length, the type and the unchanged object', () => {
  const frame = frameWatchEvent('ADDED', Buffer.from('abc'));
  assert.equal(Buffer.from(frame).toString('hex'), '0000000e0a05414444454412050a03616263');
});

it('objects of any size have the right length', () => {
  const frame = Buffer.from(frameWatchEvent('MODIFIED', Buffer.alloc(100_000, 1)));
  assert.equal(frame.readUInt32BE(0), frame.length - 4);
});

it('a stream decodes the same wherever it is split', async () => {
  const event = fc.record(
    { type: fc.constantFrom('ADDED', 'DELETED'), object: fc.string({ maxLength: 300 }) },
    { noNullPrototype: true },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(event), fc.array(fc.nat(40)), async (events, sizes) => {
      const bytes = Buffer.concat(events.map(({ type, object }) => frameWatchEvent(type, Buffer.from(object))));
      assert.deepEqual(await read(chunksOf(bytes, sizes)), events);
    }),
  );
});

it('an event is returned with its last byte, before the next chunk', async () => {
  const frame = frameWatchEvent('ADDED', Buffer.from('a'));
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield frame;
    assert.fail('nothing more was asked for');
  }
  const frames = readWatchFrames(endless());
  const { value } = await frames.next();
  assert.ok(value !== undefined);
  assert.equal(readWatchEvent(value).type, 'ADDED');
  await frames.return(undefined);
});

it('a truncated or too long frame is rejected', async () => {
  const frame = frameWatchEvent('ADDED', Buffer.from('abc'));
  for (let end = 1; end < frame.length; end++) {
    await assert.rejects(read(chunksOf(frame.subarray(0, end), [])), new DecodeError('unexpected EOF'));
  }
  const exact = frame.length - 4;
  assert.equal((await read(chunksOf(frame, []), exact)).length, 1);
  await assert.rejects(read(chunksOf(frame.subarray(0, 4), []), exact - 1), /has 14 bytes, and may have 13/);
  await assert.rejects(read(chunksOf(Buffer.from('ffffffff', 'hex'), [])), DecodeError);
});

it('a malformed event is rejected', () => {
  assert.throws(() => readWatchEvent(Buffer.from('0a05', 'hex')), DecodeError);
  assert.throws(() => readWatchEvent(Buffer.from('1005', 'hex')), DecodeError);
  assert.deepEqual(readWatchEvent(new Uint8Array()), { type: '', object: new Uint8Array() });
});

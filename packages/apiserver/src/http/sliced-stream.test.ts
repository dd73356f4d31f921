import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { withoutTurns } from '../slices/index.js';
import { PIECE_BYTES } from './piecewise-body.js';
import { SlicedStream } from './sliced-stream.js';

const LARGE = Buffer.alloc(4 * PIECE_BYTES + 1, 'l');

/** A client that reads one write at a time. */
class Client extends Writable {
  readonly seen: Buffer[] = [];
  #read: (() => void) | undefined;

  constructor() {
    super({ highWaterMark: 1 });
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.seen.push(bytes);
    this.#read = done;
  }

  async read(): Promise<void> {
    this.#read?.();
    await loop();
    await loop();
  }
}

describe('a stream in slices', () => {
  function open(): { client: Client; stream: SlicedStream; counted: () => number } {
    const client = new Client();
    let bytes = 0;
    const stream = new SlicedStream(
      client,
      (sent) => (bytes += sent),
      () => client.destroy(),
    );
    return { client, stream, counted: () => bytes };
  }

  it('holds back what the client has not read of a large chunk, without a copy', async () => {
    using _ = withoutTurns();
    const { client, stream, counted } = open();
    assert.equal(stream.write(LARGE), false);
    await loop();
    assert.deepEqual([client.writableLength, stream.pendingBytes], [PIECE_BYTES, LARGE.length]);
    assert.equal(client.seen[0]?.buffer, LARGE.buffer);
    stream.write('after');
    const drained = stream.drained();
    stream.end();
    assert.equal(stream.write('too late'), false);
    for (let index = 0; index < 6; index++) await client.read();
    await drained;
    assert.equal(Buffer.concat(client.seen).toString(), `${LARGE.toString()}after`);
    assert.deepEqual([client.writableEnded, stream.pendingBytes, counted()], [true, 0, LARGE.length + 5]);
  });

  it('drops the rest when the client leaves', async () => {
    using _ = withoutTurns();
    const { client, stream } = open();
    stream.write(LARGE);
    const drained = assert.rejects(stream.drained(), { name: 'AbortError' });
    stream.destroy();
    await drained;
    assert.deepEqual([client.seen.length, stream.pendingBytes - client.writableLength], [1, 0]);
  });

  it('passes slices on in turns', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const client = new Client();
    const write = client._write.bind(client);
    client._write = (bytes, encoding, done) => {
      time += 5;
      write(bytes, encoding, done);
      done();
    };
    const stream = new SlicedStream(
      client,
      () => undefined,
      () => undefined,
    );
    stream.write(LARGE);
    const seenByOthers = new Set<number>();
    while (client.seen.length < 5) {
      seenByOthers.add(client.seen.length);
      await loop();
    }
    assert.ok(seenByOthers.size > 2, `others saw ${[...seenByOthers].join(', ')} slices`);
  });
});

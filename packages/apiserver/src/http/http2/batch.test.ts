import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { it } from 'node:test';
import { Batch } from './batch.js';

/** Keeps the writes that reach the socket. */
class Socket extends Writable {
  readonly writes: number[][] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.writes.push([chunk.length]);
    done();
  }

  override _writev(chunks: { readonly chunk: Buffer }[], done: () => void): void {
    this.writes.push(chunks.map(({ chunk }) => chunk.length));
    done();
  }
}

it('a batch is written at once, copied if it or its parts are small', async () => {
  for (const [size, count, writes] of [
    [100, 3, [[300]]],
    [20_000, 3, [[20_000, 20_000, 20_000]]],
    [2000, 30, [[60_000]]],
  ] as const) {
    const batch = new Batch();
    const events: string[] = [];
    batch.onWritten(() => events.push('first'));
    batch.onWritten(() => events.push('second'));
    for (let part = 0; part < count; part++) batch.add(Buffer.alloc(size));
    assert.equal(batch.bytes, count * size);
    const socket = new Socket();
    await new Promise<void>((resolve) => batch.writeTo(socket, resolve));
    assert.deepEqual(socket.writes, writes);
    batch.finish();
    assert.deepEqual(events, ['first', 'second']);
  }
});

it('a batch that the socket cannot write is not done', async () => {
  const batch = new Batch();
  batch.add(Buffer.alloc(1));
  const socket = new Writable();
  socket.on('error', () => undefined);
  socket.destroy();
  batch.writeTo(socket, () => assert.fail('it is not written'));
  await new Promise(setImmediate);
  assert.equal(socket.destroyed, true);
});

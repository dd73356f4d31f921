import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { MAX_BYTES_IN_FLIGHT, RequestBodies, TooManyBodiesError } from './request-body.js';
import { MAX_BODY_BYTES } from './review.js';

/** A request whose body has this many bytes. */
function request(bytes: number): PassThrough {
  const stream = new PassThrough();
  stream.end(Buffer.alloc(bytes));
  return stream;
}

describe('RequestBodies', () => {
  const lengthOf = (bodies: RequestBodies, bytes: number): Promise<number | undefined> =>
    bodies.read(request(bytes), async (body) => body?.length);

  it('reads a body up to its limit, and says when it is longer', async () => {
    const bodies = new RequestBodies();
    assert.equal(await lengthOf(bodies, 0), 0);
    assert.equal(await lengthOf(bodies, MAX_BODY_BYTES), MAX_BODY_BYTES);
    assert.equal(await lengthOf(bodies, MAX_BODY_BYTES + 1), undefined);
  });

  it('bounds what all bodies hold together, until their use has ended', async () => {
    const bodies = new RequestBodies();
    const fitting = Math.floor(MAX_BYTES_IN_FLIGHT / MAX_BODY_BYTES);
    let release = (): void => undefined;
    const used = new Promise<void>((resolve) => (release = resolve));
    let reading = fitting;
    let allRead = (): void => undefined;
    const held = new Promise<void>((resolve) => (allRead = resolve));
    const uses = Array.from({ length: fitting }, () =>
      bodies.read(request(MAX_BODY_BYTES), () => {
        if (--reading === 0) allRead();
        return used;
      }),
    );
    await held;
    await assert.rejects(lengthOf(bodies, MAX_BODY_BYTES), TooManyBodiesError);
    release();
    await Promise.all(uses);
    assert.equal(await lengthOf(bodies, MAX_BODY_BYTES), MAX_BODY_BYTES);
  });

  it('releases the bytes after a failed use or a closed connection', async () => {
    const bodies = new RequestBodies();
    const times = Math.ceil(MAX_BYTES_IN_FLIGHT / MAX_BODY_BYTES) + 1;
    for (let time = 0; time < times; time++) {
      const failing = bodies.read(request(MAX_BODY_BYTES), () => Promise.reject(new Error('no')));
      await assert.rejects(failing, /^Error: no$/);
      const leaving = new PassThrough();
      leaving.write(Buffer.alloc(1024));
      const left = bodies.read(leaving, async () => assert.fail('read'));
      leaving.destroy();
      await assert.rejects(left, /the client closed the connection/);
    }
    assert.equal(await lengthOf(bodies, MAX_BODY_BYTES), MAX_BODY_BYTES);
  });
});

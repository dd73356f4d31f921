import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { BodyBuffer } from './body-buffer.js';

it('holds the bytes of all chunks, in memory of at most twice their size', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 10_000 })), (chunks) => {
      const buffer = new BodyBuffer();
      for (const chunk of chunks) buffer.add(chunk);
      const expected = Buffer.concat(chunks);
      assert.equal(buffer.size, expected.length);
      assert.ok(buffer.bytes.equals(expected));
      assert.ok(buffer.bytes.buffer.byteLength <= Math.max(4096, expected.length * 2));
    }),
  );
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OwnWrites } from './own-writes.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('OwnWrites', () => {
  it('knows a write by its key and its bytes, once', () => {
    const writes = new OwnWrites();
    const canonical = bytes('{}');
    writes.add('/a', bytes('stored'), canonical);
    assert.equal(writes.take('/b', bytes('stored')), undefined);
    assert.equal(writes.take('/a', bytes('other')), undefined);
    assert.equal(writes.take('/a', Buffer.from('stored'))?.canonical, canonical);
    assert.equal(writes.take('/a', bytes('stored')), undefined);
  });

  it('keeps the newest write of a key', () => {
    const writes = new OwnWrites();
    writes.add('/a', bytes('first'), bytes('1'));
    writes.add('/a', bytes('second'), bytes('2'));
    assert.equal(writes.take('/a', bytes('first')), undefined);
    assert.deepEqual(writes.take('/a', bytes('second'))?.canonical, bytes('2'));
  });

  it('forgets a write that never comes back', () => {
    const writes = new OwnWrites();
    writes.add('/a', bytes('stored'), bytes('{}'));
    writes.forget('/a');
    assert.equal(writes.take('/a', bytes('stored')), undefined);
  });

  it('drops the oldest writes when they need too much memory', () => {
    const writes = new OwnWrites();
    const large = Buffer.alloc(3 * 1024 * 1024);
    for (const key of ['/a', '/b', '/c']) writes.add(key, large, bytes(key));
    assert.equal(writes.take('/a', large), undefined);
    assert.deepEqual(writes.take('/c', large)?.canonical, bytes('/c'));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fnv32, fnv32a, safeEncode } from './fnv.js';
import { revisionHash, revisionName } from './revision-name.js';

describe('hashes', () => {
  it('are those of the published test vectors', () => {
    assert.deepEqual([fnv32(Buffer.from('')), fnv32(Buffer.from('foobar'))], [0x811c9dc5, 0x31f0b262]);
    assert.deepEqual([fnv32a(Buffer.from('')), fnv32a(Buffer.from('foobar'))], [0x811c9dc5, 0xbf9cf968]);
  });

  it('are encoded without vowels', () => {
    assert.equal(safeEncode(1234567890), '56789bcdf4');
    assert.match(safeEncode(0xffffffff), /^[bcdfghjklmnpqrstvwxz2456789]{10}$/);
  });

  it('change with a collision', () => {
    assert.notEqual(revisionHash('{}', undefined), revisionHash('{}', 0));
    assert.notEqual(revisionHash('{}', 0), revisionHash('{}', 1));
  });

  it('end names of up to 253 characters', () => {
    assert.equal(revisionName('web', 'abc'), 'web-abc');
    assert.equal(revisionName('w'.repeat(253), 'abc').length, 227);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cbc, gcm, identity, secretbox, seededGcm, type Transformer, TransformError } from './index.js';

const key = (byte: number, length = 32): Uint8Array => new Uint8Array(length).fill(byte);
const place = { key: '/registry/secrets/default/a', resource: 'secrets' };
const otherPlace = { key: '/registry/secrets/default/b', resource: 'secrets' };
const value = Buffer.from('{"kind":"Secret"}');

const TOO_SHORT = 'the stored data was shorter than the required size';
const NOT_AUTHENTIC = 'cipher: message authentication failed';

function reading(transformer: Transformer, stored: Uint8Array, context = place): Buffer {
  const read = transformer.read(stored, context);
  assert.ok(!(read instanceof Promise));
  assert.equal(read.isStale, false);
  return Buffer.from(read.value);
}

function withLast(stored: Uint8Array, byte: number): Uint8Array {
  const changed = Uint8Array.from(stored);
  changed[changed.length - 1] = byte;
  return changed;
}

const providers = [
  { name: 'aescbc', of: cbc, lengths: [16, 24, 32], overhead: 16, least: 16 },
  { name: 'aesgcm', of: gcm, lengths: [16, 24, 32], overhead: 28, least: 12 },
  { name: 'seeded aesgcm', of: seededGcm, lengths: [32, 48], overhead: 60, least: 44 },
  { name: 'secretbox', of: secretbox, lengths: [32], overhead: 40, least: 40 },
];

for (const { name, of, lengths, overhead, least } of providers) {
  describe(name, () => {
    for (const length of lengths) {
      it(`reads what it has written with a key of ${length} bytes`, () => {
        const transformer = of(key(1, length));
        for (const each of [value, Buffer.alloc(0), Buffer.alloc(16), Buffer.alloc(100_000, 'x')]) {
          const stored = transformer.write(each, place);
          assert.ok(stored.length >= each.length + overhead);
          assert.deepEqual(reading(of(key(1, length)), stored), each);
        }
      });
    }

    it('never writes the same bytes twice', () => {
      const transformer = of(key(1));
      assert.notDeepEqual(transformer.write(value, place), transformer.write(value, place));
    });

    it('refuses values that are too short', () => {
      assert.throws(() => of(key(1)).read(new Uint8Array(least - 1), place), new TransformError(TOO_SHORT));
    });
  });
}

for (const { of, name, least } of providers.slice(1, 3)) {
  it(`${name} refuses another key, another place and changed bytes`, () => {
    const stored = of(key(1)).write(value, place);
    for (const read of [
      () => of(key(2)).read(stored, place),
      () => of(key(1)).read(stored, otherPlace),
      () => of(key(1)).read(withLast(stored, (stored.at(-1) ?? 0) ^ 1), place),
      () => of(key(1)).read(stored.subarray(0, least + 4), place),
    ]) {
      assert.throws(read, new TransformError(NOT_AUTHENTIC));
    }
  });
}

it('secretbox refuses another key and changed bytes', () => {
  const stored = secretbox(key(1)).write(value, place);
  const failure = new TransformError('output array was not large enough for encryption');
  assert.throws(() => secretbox(key(2)).read(stored, place), failure);
  assert.throws(() => secretbox(key(1)).read(withLast(stored, (stored.at(-1) ?? 0) ^ 1), place), failure);
});

it('aescbc refuses wrong lengths and wrong padding', () => {
  const transformer = cbc(key(1));
  const stored = transformer.write(value, place);
  assert.throws(
    () => transformer.read(stored.subarray(0, -1), place),
    new TransformError('the stored data is not a multiple of the block size'),
  );
  assert.throws(
    () => transformer.read(stored.subarray(0, 16), place),
    new TransformError('invalid PKCS7 data (empty or not padded)'),
  );
  // The first block of two is text.
  assert.throws(() => transformer.read(stored.subarray(0, 32), place), TransformError);
});

it('a seed has at least 32 bytes', () => {
  assert.throws(() => seededGcm(key(1, 31)), new TransformError('invalid seed length 31 used for key generation'));
});

it('identity stores values as they are, and reads no encrypted ones', () => {
  assert.equal(identity.write(value, place), value);
  assert.deepEqual(reading(identity, value), value);
  assert.throws(
    () => identity.read(Buffer.from('k8s:enc:aescbc:v1:a:x'), place),
    new TransformError('identity transformer tried to read encrypted data'),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeError, isEnvelope } from '../serializer/index.js';
import { readEnvelope, wrapEnvelope } from './envelope.js';

const bytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

test('an envelope carries apiVersion, kind and message', () => {
  const wrapped = wrapEnvelope('v1', 'Pod', Uint8Array.of(1, 2));
  assert.equal(Buffer.from(wrapped).toString('hex'), '6b3873000a090a0276311203506f64120201021a002200');
  assert.ok(isEnvelope(wrapped));
  for (const other of ['', 'k8s', 'k8s1', '{"a":1}']) assert.equal(isEnvelope(Buffer.from(other)), false);
  const { raw, ...rest } = readEnvelope(wrapped);
  assert.deepEqual(rest, { apiVersion: 'v1', kind: 'Pod', contentEncoding: '', contentType: '' });
  assert.deepEqual([...raw], [1, 2]);
});

test('absent fields are empty, unknown fields are dropped', () => {
  const { raw, ...rest } = readEnvelope(bytes('k8s\0', 0x22, 1, 'j', 0x50, 1));
  assert.deepEqual(rest, { apiVersion: '', kind: '', contentEncoding: '', contentType: 'j' });
  assert.equal(raw.length, 0);
});

test("other bytes are rejected with upstream's message", () => {
  const fails = (given: Uint8Array, text: string): void =>
    assert.throws(() => readEnvelope(given), new DecodeError(text));
  const prefix = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]';
  fails(bytes(), 'empty data');
  fails(bytes('{}'), prefix);
  fails(bytes('k8s'), prefix);
  fails(bytes('k8s\0'), 'empty body');
  fails(bytes('k8s\0', 0x0a, 5), 'unexpected EOF');
  fails(bytes('k8s\0', 0x08, 5), 'proto: wrong wireType = 0 for field TypeMeta');
  fails(bytes('k8s\0', 0x0a, 2, 0x10, 1), 'proto: wrong wireType = 0 for field Kind');
});

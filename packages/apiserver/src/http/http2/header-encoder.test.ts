import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HeaderDecoder } from './header-decoder.js';
import { encodeResponseHead } from './header-encoder.js';

function fieldsOf(block: Buffer): readonly string[] {
  return new HeaderDecoder({ maxSize: 1_000_000, maxFields: 100 }).decode(block).fields;
}

it('response heads have lower-case names, a field for each value, and no fields of HTTP/1.1 connections', () => {
  const block = encodeResponseHead(200, {
    'Content-Type': 'application/json',
    'content-length': 12,
    'Audit-Id': 'é',
    warning: ['299 - "a"', '299 - "b"'],
    absent: undefined,
    Connection: 'close',
    'transfer-encoding': 'chunked',
  });
  assert.deepEqual(
    fieldsOf(block),
    [
      [':status', '200'],
      ['content-type', 'application/json'],
      ['content-length', '12'],
      ['audit-id', 'é'],
      ['warning', '299 - "a"'],
      ['warning', '299 - "b"'],
    ].flat(),
  );
});

it('response heads have any status, and values of any length', () => {
  for (const status of [100, 200, 204, 422, 504]) {
    assert.deepEqual(fieldsOf(encodeResponseHead(status, {})), [':status', String(status)]);
  }
  for (const length of [0, 126, 127, 128, 254, 255, 16_000, 100_000]) {
    const value = 'v'.repeat(length);
    assert.deepEqual(fieldsOf(encodeResponseHead(200, { [`x${value}`]: value })).slice(2), [`x${value}`, value]);
  }
});

it('a response head depends on no other', () => {
  assert.equal(encodeResponseHead(200, { server: 'a' }).toString('hex'), '20880f270161');
});

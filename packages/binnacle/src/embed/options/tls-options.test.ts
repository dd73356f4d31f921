import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseNamedFiles } from './tls-options.js';

describe('the files of a named certificate', () => {
  const files = { certificate: 'a.crt', privateKey: 'a.key' };
  for (const [value, names] of [
    ['a.crt,a.key', []],
    [' a.crt , a.key ', []],
    ['a.crt,a.key:a.example, *.b.example', ['a.example', '*.b.example']],
  ] as const) {
    it(`are read: ${value}`, () => assert.deepEqual(parseNamedFiles(value), { ...files, names }));
  }

  for (const [value, message] of [
    ['a.crt', 'expected comma separated certificate and key file paths'],
    ['a.crt,a.key,b.key', 'expected comma separated certificate and key file paths'],
    ['a.crt,a.key: ', 'empty names list is not allowed'],
  ] as const) {
    it(`are refused: ${value}`, () => assert.throws(() => parseNamedFiles(value), { message }));
  }
});

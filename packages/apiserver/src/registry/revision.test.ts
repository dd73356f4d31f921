import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { badRequest } from '@binnacle/apimachinery/status';
import { parseRevision } from './revision.js';

describe('parseRevision', () => {
  const read: [text: string, revision: number][] = [
    ['7', 7],
    ['007', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9223372036854775807', Number.MAX_SAFE_INTEGER],
    ['18446744073709551615', Number.MAX_SAFE_INTEGER],
  ];
  for (const [text, revision] of read) {
    it(`reads ${text}`, () => assert.equal(parseRevision(text, badRequest), revision));
  }

  const refused: [text: string, problem: RegExp][] = [
    ['18446744073709551616', /: value out of range$/],
    ['9'.repeat(1_000_000), /: value out of range$/],
    ['-1', /: invalid syntax$/],
    ['1.5', /: invalid syntax$/],
    ['', /: invalid syntax$/],
  ];
  for (const [text, message] of refused) {
    it(`refuses ${text.slice(0, 30)}`, () => assert.throws(() => parseRevision(text, badRequest), { message }));
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTargetId } from './target-id.js';

describe('parseTargetId', () => {
  for (const [id, expected] of [
    ['p', { scheme: '', name: 'p', port: '' }],
    ['p:80', { scheme: '', name: 'p', port: '80' }],
    ['https:p:web', { scheme: 'https', name: 'p', port: 'web' }],
    ['http:p:', { scheme: 'http', name: 'p', port: '' }],
  ] as const) {
    it(`reads ${id}`, () => assert.deepEqual(parseTargetId(id, 'pod'), expected));
  }

  for (const id of ['', ':80', 'ftp:p:80', 'http:p:80:1']) {
    it(`refuses ${JSON.stringify(id)}`, () => {
      assert.throws(() => parseTargetId(id, 'pod'), { message: `invalid pod request "${id}"`, code: 400 });
    });
  }
});

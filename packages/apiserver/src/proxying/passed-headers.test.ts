import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { returnedHeaders } from './passed-headers.js';

describe('returnedHeaders', () => {
  it('keeps each value, and drops those of the connection', () => {
    const headers = { connection: 'close', 'content-type': 'text/plain', 'transfer-encoding': 'chunked' };
    assert.deepEqual(returnedHeaders({ ...headers, 'set-cookie': ['a', 'b'], vary: 'a, b' }), {
      'content-type': 'text/plain',
      'set-cookie': ['a', 'b'],
      vary: 'a, b',
    });
  });
});

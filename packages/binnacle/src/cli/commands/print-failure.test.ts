import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failureText } from './print-failure.js';

describe('failureText', () => {
  it('shows the message of an error, and other values as text', () => {
    assert.equal(failureText(new Error('no such\nfile')), 'binnacle: no such\nfile\n');
    assert.equal(failureText('stopped'), 'binnacle: stopped\n');
  });

  it('shows control characters, which a file or a server may have named', () => {
    assert.equal(failureText(new Error('kind \u001b[2JPod\u202e')), 'binnacle: kind \\u001b[2JPod\\u202e\n');
  });
});

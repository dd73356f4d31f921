import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messageLines, printFailure, printMessage } from './print-message.js';

describe('messageLines', () => {
  it('keeps the lines of a message', () => {
    assert.equal(messageLines('no such\nfile'), 'binnacle: no such\nfile\n');
  });

  it('shows control characters, which a file or a server may have named', () => {
    assert.equal(messageLines('kind \u001b[2JPod\u202e'), 'binnacle: kind \\u001b[2JPod\\u202e\n');
  });
});

describe('messages of commands', () => {
  it('go to standard error', (context) => {
    const written: unknown[] = [];
    context.mock.method(process.stderr, 'write', (text: unknown) => written.push(text));
    printFailure(new Error('no such file'));
    printFailure('stopped');
    printMessage('--config: field \u0007bell');
    assert.deepEqual(written, [
      'binnacle: no such file\n',
      'binnacle: stopped\n',
      'binnacle: --config: field \\u0007bell\n',
    ]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asError, hasErrorCode, messageOf } from './thrown.js';

describe('thrown values', () => {
  it('become errors, which keep the value as their cause', () => {
    const error = new TypeError('no such field');
    assert.equal(asError(error), error);
    const { message, cause } = asError('disk full');
    assert.deepEqual({ message, cause }, { message: 'disk full', cause: 'disk full' });
  });

  it('become messages', () => {
    assert.equal(messageOf(new TypeError('no such field')), 'no such field');
    assert.equal(messageOf('disk full'), 'disk full');
    assert.equal(messageOf(undefined), 'undefined');
  });

  it('may have the code of a system error', () => {
    const absent = Object.assign(new Error('no such file'), { code: 'ENOENT' });
    assert.equal(hasErrorCode(absent, 'ENOENT'), true);
    assert.equal(hasErrorCode(absent, 'EEXIST'), false);
    assert.equal(hasErrorCode(new Error('no such file'), 'ENOENT'), false);
    assert.equal(hasErrorCode({ code: 'ENOENT' }, 'ENOENT'), false);
  });
});

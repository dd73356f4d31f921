import assert from 'node:assert/strict';
import { it } from 'node:test';
import { joinMessages } from './join-messages.js';

it('messages are joined as Go prints an aggregate of errors', () => {
  assert.equal(joinMessages(['no such user']), 'no such user');
  assert.equal(joinMessages(['no such user', 'no such user']), 'no such user');
  assert.equal(joinMessages(['no such user', 'no such role', 'no such user']), '[no such user, no such role]');
});

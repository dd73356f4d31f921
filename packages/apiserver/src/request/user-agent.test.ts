import assert from 'node:assert/strict';
import { it } from 'node:test';
import { userAgentOf } from './user-agent.js';

it('reads a User-Agent as UTF-8', () => {
  const sent = (text: string) => userAgentOf({ headers: { 'user-agent': Buffer.from(text).toString('latin1') } });
  assert.equal(sent('kubectl/v1.36.0'), 'kubectl/v1.36.0');
  assert.equal(sent('opérateur/1'), 'opérateur/1');
  assert.equal(userAgentOf({ headers: { 'user-agent': '\xff/1' } }), '\ufffd/1');
  assert.equal(userAgentOf({ headers: {} }), '');
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Session } from './session.js';

describe('a session', () => {
  it('is opened once by a token', () => {
    const session = new Session(4000);
    const token = session.newToken();
    assert.equal(session.exchange('x'), undefined);
    const opened = session.exchange(token);
    assert.ok(opened !== undefined);
    assert.equal(session.exchange(token), undefined);
    assert.ok(session.admits(`other=1; ${opened.cookie}`, opened.key));
  });

  it('needs the cookie and the key', () => {
    const session = new Session(4000);
    const opened = session.exchange(session.newToken());
    assert.ok(opened !== undefined);
    const { cookie, key } = opened;
    assert.ok(!session.admits(cookie, undefined));
    assert.ok(!session.admits(cookie, `${key}x`));
    assert.ok(!session.admits(undefined, key));
    assert.ok(!session.admits(cookie.replace('binnacle-console-4000', 'binnacle-console-4001'), key));
    assert.ok(!session.admits(cookie.slice(0, -1), key));
    assert.ok(!new Session(4000).admits(cookie, key), 'another run of the console');
  });

  it('has only one open link', () => {
    const session = new Session(4000);
    const first = session.newToken();
    const second = session.newToken();
    assert.equal(session.exchange(first), undefined);
    assert.ok(session.exchange(second) !== undefined);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Authentication } from './authentication.js';

const login = { user: 'root', password: 'secret' };

describe('the token of a user', () => {
  it('is in the metadata of requests and streams, once there is one', async () => {
    const authentication = new Authentication(login, async ({ user, password }) => `${user}:${password}`);
    assert.deepEqual(authentication.current.unary.getMap(), {});
    assert.deepEqual(authentication.current.stream.getMap(), { hasleader: 'true' });
    assert.equal(await authentication.renew(authentication.current), true);
    assert.deepEqual(authentication.current.unary.getMap(), { token: 'root:secret' });
    assert.deepEqual(authentication.current.stream.getMap(), { token: 'root:secret', hasleader: 'true' });
  });

  it('is fetched once for all who hold the same one', async () => {
    let fetched = 0;
    const authentication = new Authentication(login, async () => String(++fetched));
    const first = authentication.current;
    assert.deepEqual(await Promise.all([authentication.renew(first), authentication.renew(first)]), [true, true]);
    assert.equal(await authentication.renew(first), true, 'there is a newer one to try');
    assert.equal(fetched, 1);
    await authentication.renew(authentication.current);
    assert.equal(fetched, 2);
  });

  it('is fetched again after a failure', async () => {
    let fetched = 0;
    const authentication = new Authentication(login, async () => {
      if (++fetched === 1) throw new Error('wrong');
      return 'token';
    });
    await assert.rejects(authentication.renew(authentication.current), /wrong/);
    await authentication.renew(authentication.current);
    assert.deepEqual(authentication.current.unary.getMap(), { token: 'token' });
  });

  it('does not exist without a user', async () => {
    const authentication = new Authentication(undefined, () => assert.fail('no one logs in'));
    assert.equal(authentication.enabled, false);
    assert.equal(await authentication.renew(authentication.current), false);
  });
});

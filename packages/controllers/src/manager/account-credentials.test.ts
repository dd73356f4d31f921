import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { notFound } from '@binnacle/apimachinery/status';
import { DynamicClient } from '@binnacle/client/dynamic';
import { isNotFound } from '@binnacle/client/rest';
import { type ScriptedAnswer, ScriptedTransport } from '@binnacle/client/testing';
import { accountCredentials } from './account-credentials.js';

const HOUR = 3_600_000;

interface Given {
  readonly exists?: boolean;
  readonly lifetime?: number;
  /** The answer to requests for a token. */
  readonly refusal?: ScriptedAnswer;
}

function start({ exists = false, lifetime = HOUR, refusal }: Given = {}) {
  const clock = new VirtualClock();
  let issued = 0;
  const transport = new ScriptedTransport(({ method, path }) => {
    if (!path.endsWith('/token')) {
      const isFound = exists || method === 'POST';
      const missing = { kind: 'Status', reason: 'NotFound', message: 'serviceaccounts "loop" not found' };
      return isFound ? { object: { kind: 'ServiceAccount' } } : { status: 404, object: missing };
    }
    if (refusal !== undefined) return refusal;
    const expirationTimestamp = new Date(clock.now() + lifetime).toISOString();
    return { object: { kind: 'TokenRequest', status: { token: `token-${++issued}`, expirationTimestamp } } };
  });
  const source = accountCredentials(new DynamicClient(transport), 'loop', clock);
  const token = async () => (await source.current()).token;
  return { clock, transport, source, token };
}

const writes = ({ requests }: ScriptedTransport): string[] =>
  requests
    .filter(({ method }) => method === 'POST')
    .map(({ path }) => path.replace('/api/v1/namespaces/kube-system', ''));

describe('accountCredentials', () => {
  it('creates the account, and requests a token of an hour', async () => {
    const { transport, token } = start();
    assert.equal(await token(), 'token-1');
    const { method, path, body } = transport.requests.at(-1) ?? assert.fail('no request');
    assert.equal(`${method} ${path}`, 'POST /api/v1/namespaces/kube-system/serviceaccounts/loop/token');
    assert.match(String(body), /"expirationSeconds":3600/);
    assert.deepEqual(writes(transport), ['/serviceaccounts', '/serviceaccounts/loop/token']);
  });

  it('leaves an account that exists', async () => {
    const { transport, token } = start({ exists: true });
    await token();
    assert.deepEqual(writes(transport), ['/serviceaccounts/loop/token']);
  });

  it('uses a token for four fifths of its lifetime', async () => {
    const { clock, token } = start();
    await token();
    await clock.advance(0.79 * HOUR);
    assert.equal(await token(), 'token-1');
    await clock.advance(0.02 * HOUR);
    assert.equal(await token(), 'token-2');
  });

  it('uses a token for eight minutes that seems to have expired, because clocks differ', async () => {
    const { clock, token } = start({ lifetime: -HOUR });
    await token();
    await clock.advance(7 * 60_000);
    assert.equal(await token(), 'token-1');
    await clock.advance(2 * 60_000);
    assert.equal(await token(), 'token-2');
  });

  it('replaces a token that the server rejects', async () => {
    const { source, token } = start();
    source.rejected(await source.current());
    assert.equal(await token(), 'token-2');
  });

  it('fails with an error of its own, which is not about the object of the request', async () => {
    const object = notFound({ group: '', resource: 'namespaces' }, 'kube-system').status;
    const { token } = start({ refusal: { status: 404, object } });
    await assert.rejects(token, (error: Error) => {
      assert.match(
        error.message,
        /^no token for service account kube-system\/loop: namespaces "kube-system" not found$/,
      );
      return !isNotFound(error);
    });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { KubernetesObject, ObjectMeta } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import type { UserInfo } from '../authentication/index.js';
import { signToken } from './json-web-token.js';
import { secretTokenAuthenticator } from './secret-token-authenticator.js';
import { tokenKeys } from './signing-keys.js';
import { makeTestKey } from './keys.testing.js';

const own = makeTestKey();
const claims = {
  iss: 'kubernetes/serviceaccount',
  'kubernetes.io/serviceaccount/namespace': 'n',
  'kubernetes.io/serviceaccount/secret.name': 's',
  'kubernetes.io/serviceaccount/service-account.name': 'bot',
  'kubernetes.io/serviceaccount/service-account.uid': 'u-bot',
  sub: 'system:serviceaccount:n:bot',
};
const bot: UserInfo = {
  name: 'system:serviceaccount:n:bot',
  uid: 'u-bot',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:n'],
  extra: {},
};
const tokenOf = (changes: JsonObject = {}, key = own): string => signToken({ ...claims, ...changes }, key);
const token = tokenOf();

const secretOf = (content: string, metadata: ObjectMeta = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'n', name: 's', uid: 'u-s', ...metadata },
  data: { token: Buffer.from(content).toString('base64') },
});
const accountOf = (metadata: ObjectMeta = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { namespace: 'n', name: 'bot', uid: 'u-bot', ...metadata },
});

/** Authenticates among these objects, and returns the reason for a refusal as text. */
function setUp({
  secret = secretOf(token),
  account = accountOf(),
  looksUp = true,
}: {
  secret?: KubernetesObject | undefined;
  account?: KubernetesObject | undefined;
  looksUp?: boolean;
}) {
  const used: string[] = [];
  const noted: string[] = [];
  const authenticator = secretTokenAuthenticator({
    apiAudiences: ['api'],
    keys: async () => tokenKeys(own),
    looksUp,
    subjects: {
      find: async (resource, namespace, name) =>
        [secret, account].find(
          ({ kind, metadata }) =>
            `${kind.toLowerCase()}s ${metadata.namespace}/${metadata.name}` === `${resource} ${namespace}/${name}`,
        ),
    },
    secretUsed: async ({ metadata }) => {
      used.push(metadata.name ?? '');
    },
    used: (use) => noted.push(use),
  });
  const notes = {
    annotate: (key: string, value: string) => void noted.push(`${key}=${value}`),
    warn: (text: string) => void noted.push(text),
  };
  const ask = async (bearerToken: string, audiences?: readonly string[]): Promise<UserInfo | string | undefined> => {
    try {
      return await authenticator.authenticate({
        bearerToken,
        notes,
        ...(audiences === undefined ? {} : { audiences }),
      });
    } catch (error) {
      assert.ok(error instanceof StatusError && error.code === 401, String(error));
      return String(error.cause);
    }
  };
  return { ask, used, noted };
}

describe('tokens stored in secrets', () => {
  it('authenticate the account, for the audiences of this server', async () => {
    const { ask, used } = setUp({});
    assert.deepEqual(await ask(token), bot);
    assert.deepEqual(await ask(token, ['x', 'api']), { ...bot, audiences: ['api'] });
    assert.equal(await ask(token, ['x']), 'token audiences ["api"] is invalid for the target audiences ["x"]');
    assert.deepEqual(used, ['s', 's']);
  });

  it('are rejected with another issuer or another key', async () => {
    const { ask } = setUp({});
    assert.equal(await ask(tokenOf({ iss: 'https://issuer.example' })), undefined);
    assert.equal(await ask(tokenOf({}, makeTestKey())), 'invalid signature, no keys found');
  });

  it('expire with the secret and the account', async () => {
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    for (const [objects, reason] of [
      [{ secret: secretOf(token, { name: 'other' }) }, 'Token has been invalidated'],
      [{ secret: secretOf(token, { deletionTimestamp }) }, 'Token has been invalidated'],
      [{ secret: secretOf('another') }, "Token does not match server's copy"],
      [{ secret: { ...secretOf(''), data: undefined } }, "Token does not match server's copy"],
      [{ account: accountOf({ name: 'other' }) }, 'serviceaccounts "bot" not found'],
      [{ account: accountOf({ deletionTimestamp }) }, 'ServiceAccount n/bot has been deleted'],
      [{ account: accountOf({ uid: 'u-new' }) }, 'ServiceAccount UID (u-new) does not match claim (u-bot)'],
    ] as const) {
      const { ask, used } = setUp(objects);
      assert.equal(await ask(token), reason);
      assert.deepEqual(used, []);
      assert.deepEqual(await setUp({ ...objects, looksUp: false }).ask(token), bot);
    }
  });

  it('are rejected when marked invalid, which counts as a use', async () => {
    const labels = { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' };
    const { ask, used } = setUp({ secret: secretOf(token, { labels }) });
    const reason = await ask(token);
    assert.ok(typeof reason === 'string');
    assert.match(
      reason,
      /^the token in secret n\/s for service account n\/bot has been marked invalid\. Use tokens from /,
    );
    assert.deepEqual(used, ['s']);
  });

  it('are noted by where they come from', async () => {
    const listed: KubernetesObject = { ...accountOf(), secrets: [{ name: 'other' }, { name: 's' }] };
    const invalid = secretOf(token, { labels: { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' } });
    const warning =
      'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.';
    for (const [objects, notes] of [
      [{}, ['authentication.k8s.io/legacy-token-manual-secret=s', 'manual']],
      [{ account: listed }, [warning, 'authentication.k8s.io/legacy-token-autogenerated-secret=s', 'autoGenerated']],
      [{ secret: invalid, account: listed }, ['authentication.k8s.io/legacy-token-invalidated=s/n', 'invalidated']],
      [{ looksUp: false }, []],
    ] as const) {
      const { ask, noted } = setUp(objects);
      await ask(token);
      assert.deepEqual(noted, ['authentication.k8s.io/legacy-token=system:serviceaccount:n:bot', 'legacy', ...notes]);
    }
  });

  it('are rejected for claims that are missing, malformed or inconsistent', async () => {
    const { ask } = setUp({});
    for (const [changes, reason] of [
      [{ sub: '' }, 'sub claim is missing'],
      [{ 'kubernetes.io/serviceaccount/namespace': '' }, 'namespace claim is missing'],
      [{ 'kubernetes.io/serviceaccount/secret.name': '' }, 'secretName claim is missing'],
      [{ 'kubernetes.io/serviceaccount/service-account.name': '' }, 'serviceAccountName claim is missing'],
      [{ 'kubernetes.io/serviceaccount/service-account.uid': '' }, 'serviceAccountUID claim is missing'],
      [{ sub: 'system:serviceaccount:n:other' }, 'sub claim is invalid'],
      [{ sub: 'jane' }, 'sub claim is invalid'],
      [{ sub: 7 }, 'json: cannot unmarshal number into Go value of type string'],
    ] as const) {
      assert.equal(await ask(tokenOf(changes)), reason);
    }
  });
});

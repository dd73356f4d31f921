import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import type { UserInfo } from '../authentication/index.js';
import { encodeClaims, type TokenClaims } from './claims.js';
import { signToken } from './json-web-token.js';
import { signBytes, type SigningKey, tokenKeys } from './signing-keys.js';
import { makeTestKey } from './keys.testing.js';
import { serviceAccountAuthenticator } from './token-authenticator.js';

const NOW = Date.UTC(2026, 0, 1);
const SECONDS = NOW / 1000;
const ISSUER = 'https://issuer.example';
const own = makeTestKey();
const older = makeTestKey('P-384');

const claims: TokenClaims = {
  issuer: ISSUER,
  subject: 'system:serviceaccount:n:bot',
  audiences: [ISSUER],
  expires: SECONDS + 600,
  issuedAt: SECONDS,
  notBefore: SECONDS,
  id: 'id-1',
  namespace: 'n',
  serviceAccount: { name: 'bot', uid: 'u-bot' },
};

const objectOf = (uid: string, deletionTimestamp?: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Any',
  metadata: { uid, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
});

/** An authenticator over these objects, by `resource namespace/name`, with a movable clock. */
function setUp(objects: Record<string, KubernetesObject> = {}) {
  const known = new Map(Object.entries({ 'serviceaccounts n/bot': objectOf('u-bot'), ...objects }));
  const clock = { now: NOW, keysAsked: 0 };
  const noted: string[] = [];
  const notes = {
    annotate: (key: string, value: string) => void noted.push(`${key}=${value}`),
    warn: (text: string) => void noted.push(text),
  };
  const authenticator = serviceAccountAuthenticator({
    issuers: [ISSUER, 'https://former.example'],
    apiAudiences: [ISSUER, 'api'],
    keys: async () => {
      clock.keysAsked++;
      return tokenKeys(own, [older]);
    },
    subjects: { find: async (resource, namespace, name) => known.get(`${resource} ${namespace}/${name}`) },
    now: () => clock.now,
    used: (use) => noted.push(use),
  });
  const ask = async (bearerToken: string, audiences?: readonly string[]): Promise<UserInfo | string | undefined> => {
    try {
      return await authenticator.authenticate({
        bearerToken,
        notes,
        ...(audiences === undefined ? {} : { audiences }),
      });
    } catch (error) {
      assert.ok(error instanceof StatusError, String(error));
      assert.deepEqual([error.code, error.message], [401, 'Unauthorized']);
      return String(error.cause);
    }
  };
  return { ask, clock, known, noted };
}

const tokenOf = (changes: Partial<TokenClaims> = {}, key = own): string =>
  signToken(encodeClaims({ ...claims, ...changes }), key);
const encode = (part: JsonObject): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const signedBy = (key: SigningKey, header: JsonObject | string, body: JsonObject | string): string => {
  const [head, tail] = [header, body].map((part) =>
    typeof part === 'string' ? Buffer.from(part).toString('base64url') : encode(part),
  );
  const signed = `${head}.${tail}`;
  return `${signed}.${signBytes(Buffer.from(signed), key).toString('base64url')}`;
};
const bot: UserInfo = {
  name: 'system:serviceaccount:n:bot',
  uid: 'u-bot',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:n'],
  extra: { 'authentication.kubernetes.io/credential-id': ['JTI=id-1'] },
};

describe('service account tokens', () => {
  it('authenticate the account, with any of the keys and issuers', async () => {
    const { ask } = setUp();
    assert.deepEqual(await ask(tokenOf()), bot);
    assert.deepEqual(await ask(tokenOf({ issuer: 'https://former.example' }, older)), bot);
  });

  it('are valid until a minute after they expire, however often they are used', async () => {
    const { ask, clock } = setUp();
    const token = tokenOf();
    clock.now = NOW + 660_000;
    assert.deepEqual(await ask(token), bot);
    clock.now += 1;
    assert.equal(await ask(token), 'service account token has expired');
    clock.now = NOW - 60_001;
    assert.equal(await ask(token), 'service account token is not valid yet');
    assert.equal(await ask(tokenOf({ notBefore: undefined })), 'service account token is issued in the future');
  });

  it('are noted when they are extended, or name no audience', async () => {
    const { ask, noted } = setUp();
    const second = NOW / 1000;
    await ask(tokenOf());
    await ask(tokenOf({ warnAfter: second }));
    await ask(tokenOf({ warnAfter: second - 5 }));
    await ask(tokenOf({ audiences: [] }));
    assert.deepEqual(noted, [
      'valid',
      'authentication.k8s.io/stale-token=subject: system:serviceaccount:n:bot, seconds after warning threshold: 5',
      'stale',
      'authentication.k8s.io/legacy-token=system:serviceaccount:n:bot',
      'legacy',
    ]);
  });

  it('are checked against requested audiences', async () => {
    const { ask } = setUp();
    assert.deepEqual(await ask(tokenOf(), ['x', ISSUER]), { ...bot, audiences: [ISSUER] });
    assert.deepEqual(await ask(tokenOf({ audiences: ['vault', 'x'] }), ['x', 'y']), { ...bot, audiences: ['x'] });
    assert.equal(
      await ask(tokenOf({ audiences: ['vault', 'x'] })),
      `token audiences ["vault" "x"] is invalid for the target audiences ["${ISSUER}" "api"]`,
    );
    assert.deepEqual(await ask(tokenOf({ audiences: [] })), bot);
  });

  it('expire with the account', async () => {
    const { ask, known } = setUp();
    const token = tokenOf();
    assert.deepEqual(await ask(token), bot);
    known.set('serviceaccounts n/bot', objectOf('u-bot', '2025-12-31T23:59:30Z'));
    assert.deepEqual(await ask(token), bot);
    known.set('serviceaccounts n/bot', objectOf('u-bot', '2025-12-31T23:58:59Z'));
    assert.equal(await ask(token), 'service account n/bot has been deleted');
    known.set('serviceaccounts n/bot', objectOf('u-new'));
    assert.equal(await ask(token), 'service account UID (u-new) does not match claim (u-bot)');
    known.delete('serviceaccounts n/bot');
    assert.equal(await ask(token), 'serviceaccounts "bot" not found');
  });

  it('expire with the pod, and name its node', async () => {
    const { ask, known } = setUp({ 'pods n/p': objectOf('u-p') });
    const token = tokenOf({ pod: { name: 'p', uid: 'u-p' }, node: { name: 'gone', uid: '' } });
    const user = await ask(token);
    assert.ok(typeof user === 'object');
    assert.deepEqual(user.extra, {
      'authentication.kubernetes.io/credential-id': ['JTI=id-1'],
      'authentication.kubernetes.io/node-name': ['gone'],
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['u-p'],
    });
    known.set('pods n/p', objectOf('u-q'));
    assert.equal(await ask(token), 'pod UID (u-q) does not match service account pod ref claim (u-p)');
    known.delete('pods n/p');
    assert.equal(await ask(token), 'service account token has been invalidated');
  });

  it('expire with the secret or the node to which they are bound', async () => {
    const { ask, known } = setUp({ 'secrets n/s': objectOf('u-s'), 'nodes /m': objectOf('u-m') });
    const secret = tokenOf({ secret: { name: 's', uid: 'u-s' } });
    const node = tokenOf({ node: { name: 'm', uid: 'u-m' } });
    assert.deepEqual(await ask(secret), bot);
    const user = await ask(node);
    assert.ok(typeof user === 'object');
    assert.deepEqual(user.extra['authentication.kubernetes.io/node-uid'], ['u-m']);
    known.set('secrets n/s', objectOf('u-s', '2025-01-01T00:00:00Z'));
    known.set('nodes /m', objectOf('u-x'));
    assert.equal(await ask(secret), 'service account token has been invalidated');
    assert.equal(await ask(node), 'node UID (u-x) does not match service account node ref claim (u-m)');
  });
});

describe('hostile tokens', () => {
  const payload = encode(encodeClaims(claims));
  const forged = 'go-jose/go-jose: error in cryptographic primitive';
  const token = tokenOf();
  const [head = '', , tail = ''] = token.split('.');

  it('of other issuers are not recognized, and cost no key lookup', async () => {
    const { ask, clock } = setUp();
    const long = `${head}.${payload}.${'A'.repeat(100_000)}`;
    const others = [
      '',
      'x',
      '..',
      'a.b.c',
      `${head}.${payload}`,
      `${token}.${tail}`,
      `${token}=`,
      `${token}A`.slice(0, -1) + 'AAA',
      `${head}.${payload} .${tail}`,
      `{"payload":"${payload}"}`,
      tokenOf({ issuer: 'https://other.example' }),
      `${head}.${encode({ iss: [ISSUER] })}.${tail}`,
      `${head}.${Buffer.from('[1]').toString('base64url')}.${tail}`,
      `${head}.${Buffer.from(`{"__proto__":{"iss":"${ISSUER}"}}`).toString('base64url')}.${tail}`,
      `${head}.${Buffer.from('['.repeat(20_000)).toString('base64url')}.${tail}`,
      long,
    ];
    for (const other of others) assert.equal(await ask(other), undefined, other.slice(0, 60));
    assert.equal(clock.keysAsked, 0);
  });

  it('that choose their own algorithm are rejected', async () => {
    const { ask } = setUp();
    const publicPem = own.publicKey.export({ format: 'pem', type: 'spki' });
    const publicDer = own.publicKey.export({ format: 'der', type: 'spki' });
    const hmac = (secret: string | Buffer): string => {
      const signed = `${encode({ alg: 'HS256', kid: own.id })}.${payload}`;
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    };
    const withHeader = (header: JsonObject): string => `${encode(header)}.${payload}.${tail}`;
    for (const each of [
      withHeader({ alg: 'none' }),
      withHeader({ alg: 'None', kid: own.id }),
      withHeader({ kid: own.id }),
      withHeader({ alg: 'RS256', kid: own.id }),
      withHeader({ alg: 'ES384', kid: older.id }),
      hmac(publicPem),
      hmac(publicDer),
    ]) {
      assert.equal(await ask(each), forged, each.slice(0, 60));
    }
  });

  it('that carry their own key, or name a missing one, are rejected', async () => {
    const { ask } = setUp();
    const stranger = makeTestKey();
    assert.equal(await ask(tokenOf({}, stranger)), 'invalid signature, no keys found');
    for (const kid of ['../../etc/passwd', "' or 1=1", '__proto__', `${own.id}\0`]) {
      assert.equal(await ask(tokenOf({}, { ...own, id: kid })), 'invalid signature, no keys found', kid);
    }
    assert.equal(await ask(tokenOf({}, { ...stranger, id: own.id })), forged);
    assert.equal(await ask(tokenOf({}, { ...stranger, id: '' })), forged);
    const { kty, crv, x, y } = stranger.publicKey.export({ format: 'jwk' });
    const remoteKeys: JsonObject = { alg: 'ES256', jku: 'https://evil.example/keys' };
    assert.equal(await ask(`${encode(remoteKeys)}.${payload}.${tail}`), forged);
    const header: JsonObject = { alg: 'ES256', jwk: { kty, crv, x, y } };
    assert.equal(await ask(signedBy(own, header, encodeClaims(claims))), undefined);
  });

  it('whose header upstream cannot read authenticate no one', async () => {
    const { ask } = setUp();
    const good = encodeClaims(claims);
    const headers: readonly [JsonObject | string, boolean][] = [
      [{ kid: null }, true],
      [{ kid: '' }, true],
      [{ crit: [] }, true],
      [{ crit: null }, true],
      [{ crit: ['b64'], b64: true }, true],
      [{ typ: 5 }, true],
      [{ jwk: null }, true],
      [{ kid: 5 }, false],
      [{ kid: [own.id] }, false],
      [{ alg: 1 }, false],
      [{ nonce: 5 }, false],
      [{ x5c: ['AA'] }, false],
      ['{"alg":"ES256","alg":"ES256"}', false],
      ['{"alg":"ES256","x":{"a":1,"a":2}}', false],
      ['{"alg":"ES256"}{}', false],
    ];
    for (const [header, isGood] of headers) {
      const whole = typeof header === 'string' ? header : { alg: 'ES256', ...header };
      assert.deepEqual(await ask(signedBy(own, whole, good)), isGood ? bot : undefined, JSON.stringify(header));
    }
    assert.equal(await ask(signedBy(own, { alg: 'ES256', crit: ['x'] }, good)), forged);
    assert.equal(await ask(signedBy(own, { alg: 'es256' }, good)), forged);
  });

  it('whose content was changed after signing are rejected', async () => {
    const { ask } = setUp();
    assert.deepEqual(await ask(token), bot);
    const other = encode(encodeClaims({ ...claims, serviceAccount: { name: 'admin', uid: 'u' } }));
    assert.equal(await ask(`${head}.${other}.${tail}`), forged);
    assert.equal(await ask(`${head}.${payload}.${tail.slice(4)}`), forged);
    const extended = `${encode({ alg: 'ES256', kid: own.id, crit: ['b64'], b64: false })}.${payload}`;
    const signature = signBytes(Buffer.from(extended), own).toString('base64url');
    assert.equal(await ask(`${extended}.${signature}`), forged);
  });

  it("with a valid signature and malformed claims are rejected in upstream's words", async () => {
    const { ask } = setUp();
    const account = { name: 'bot', uid: 'u-bot' };
    const audience = 'go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience';
    const date = 'go-jose/go-jose/jwt: expected number value to unmarshal NumericDate';
    const text = (kind: string): string => `json: cannot unmarshal ${kind} into Go value of type string`;
    const nameless = 'resource name may not be empty';
    const cases: readonly [JsonObject | string, string | undefined][] = [
      [{ aud: null }, audience],
      [{ aud: 5 }, audience],
      [{ aud: { x: 1 } }, audience],
      [{ aud: [ISSUER, null] }, audience],
      [{ aud: [] }, undefined],
      [{ aud: undefined }, undefined],
      [{ aud: ISSUER }, undefined],
      [{ exp: null }, undefined],
      [{ exp: SECONDS + 9.5 }, undefined],
      [{ exp: 1e18 }, undefined],
      [{ exp: 9.22337197e18 }, undefined],
      [{ exp: 9.223372e18 }, 'service account token has expired'],
      [{ exp: 1e300 }, 'service account token has expired'],
      [{ exp: 'never' }, date],
      [{ exp: true }, date],
      [{ nbf: 1e300, iat: 1e300 }, undefined],
      [{ nbf: 1e18 }, 'service account token is not valid yet'],
      [{ nbf: 9_223_371_974_719_178_752 }, 'service account token is not valid yet'],
      [{ nbf: 9_223_371_974_719_179_776 }, undefined],
      [{ iat: '1' }, date],
      [{ sub: 5 }, text('number')],
      [{ sub: null, jti: 'id-1' }, undefined],
      [{ jti: false }, text('bool')],
      [{ ISS: ISSUER }, undefined],
      [{ 'kubernetes.io': undefined }, nameless],
      [{ 'kubernetes.io': null }, nameless],
      [{ 'kubernetes.io': { namespace: 'n' } }, nameless],
      [{ 'kubernetes.io': [] }, 'json: cannot unmarshal array into Go value of type serviceaccount.kubernetes'],
      [{ 'kubernetes.io': { namespace: 'n', serviceaccount: { ...account, uid: 5 } } }, text('number')],
      [{ 'kubernetes.io': { namespace: 'n', serviceaccount: account, pod: null } }, undefined],
      [
        { 'kubernetes.io': { namespace: 'n', serviceaccount: account, pod: {} } },
        'service account token has been invalidated',
      ],
      [
        { 'kubernetes.io': { namespace: 'n', serviceaccount: account, pod: 'p' } },
        'json: cannot unmarshal string into Go value of type serviceaccount.ref',
      ],
      [{ 'kubernetes.io': { namespace: 'n', serviceaccount: account, warnafter: 'x' } }, date],
      [`{"exp":1,${JSON.stringify(encodeClaims(claims)).slice(1)}`, "json: duplicate key 'exp' in object"],
    ];
    for (const [changes, reason] of cases) {
      const body = typeof changes === 'string' ? changes : { ...encodeClaims(claims), ...changes };
      assert.deepEqual(await ask(signedBy(own, { alg: 'ES256' }, body)), reason ?? bot, JSON.stringify(changes));
    }
    const unrecognized = [{ ISS: 'x' }, { iss: undefined, ISS: ISSUER }, { iss: null }];
    for (const changes of unrecognized) {
      assert.equal(await ask(signedBy(own, { alg: 'ES256' }, { ...encodeClaims(claims), ...changes })), undefined);
    }
    const huge = JSON.stringify(encodeClaims(claims)).replace(/"exp":\d+/, '"exp":1e400');
    assert.equal(await ask(signedBy(own, { alg: 'ES256' }, huge)), undefined);
  });

  it('may have white space around their parts', async () => {
    const { ask } = setUp();
    for (const each of [` ${token}`, `${token}\n`, token.replace('.', '\t.\n'), `${token}\u00a0`]) {
      assert.deepEqual(await ask(each), bot, JSON.stringify(each.slice(-9)));
    }
  });
});

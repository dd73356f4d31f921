import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError, unauthorized } from '@binnacle/apimachinery/status';
import { array, assert as assertProperty, constantFrom, property, string } from 'fast-check';
import { bearerToken } from './bearer.js';
import { clientCertificateAuthenticator } from './client-certificate.js';
import { encodeHeader } from './header-text.js';
import { CsvError, parseCsv } from './csv.js';
import { parseTokenFile, tokenAuthenticator } from './token-file.js';
import { unionAuthenticator } from './union.js';
import { type Authenticator, refused } from './user.js';

const isUnauthorized = (error: unknown): boolean => error instanceof StatusError && error.code === 401;

describe('bearerToken', () => {
  it('reads the header as upstream does', () => {
    const token = (authorization: string): string | undefined => bearerToken({ authorization }).token;
    assert.equal(token('Bearer abc'), 'abc');
    assert.equal(token(' bearer abc rest'), 'abc');
    assert.equal(token('Bearer'), undefined);
    assert.equal(token('Basic abc'), undefined);
    assert.deepEqual(bearerToken({ authorization: 'Bearer  abc' }), {
      token: undefined,
      warning: 'the provided Authorization header contains extra space before the bearer token, and is ignored',
    });
  });

  it('reads a header as UTF-8', () => {
    const token = (authorization: string) => bearerToken({ authorization }).token;
    assert.equal(token(encodeHeader('Bearer tökén\u00a0')), 'tökén');
    assert.equal(token('Bearer abc\u00a0'), 'abc\ufffd');
  });

  it('reads the sub-protocol of a WebSocket', () => {
    const protocol = `v5.channel.k8s.io, base64url.bearer.authorization.k8s.io.${Buffer.from('abc').toString('base64url')}`;
    const upgrade = { connection: 'keep-alive, Upgrade', upgrade: 'WebSocket' };
    const tokenOf = (value: string) => bearerToken({ ...upgrade, 'sec-websocket-protocol': value }).token;
    assert.equal(tokenOf(protocol), 'abc');
    assert.equal(bearerToken({ 'sec-websocket-protocol': protocol }).token, undefined);
    assert.equal(bearerToken({ upgrade: 'websocket', 'sec-websocket-protocol': protocol }).token, undefined);
    assert.equal(tokenOf(''), undefined);
    assert.equal(tokenOf('a, base64url.bearer.authorization.k8s.io.'), undefined);
  });

  it('reads a malformed sub-protocol as an invalid token', () => {
    const tokenOf = (value: string) =>
      bearerToken({ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': value }).token;
    const prefix = 'base64url.bearer.authorization.k8s.io.';
    for (const value of [
      `${prefix}YWJj`,
      `a, ${prefix}YWJj, ${prefix}YWJj`,
      `a, ${prefix}YW=`,
      `a, ${prefix}YWJjY`,
      `a, ${prefix}_w`,
    ]) {
      assert.equal(tokenOf(value), '', value);
    }
  });
});

describe('parseCsv', () => {
  it('reads quotes, empty lines and line ends', () => {
    assert.deepEqual(parseCsv('a,"b ""x"", y",\r\n\n"l1\nl2",c'), [
      ['a', 'b "x", y', ''],
      ['l1\nl2', 'c'],
    ]);
    assert.deepEqual(parseCsv(''), []);
  });

  it('refuses misplaced quotes', () => {
    for (const text of ['a"b', '"a"b', '"a']) assert.throws(() => parseCsv(text), CsvError);
  });

  it('round-trips', () => {
    const cell = string({ unit: constantFrom('a', '"', ',', '\n', ' ') });
    assertProperty(
      property(array(array(cell, { minLength: 1 }), { minLength: 1 }), (records) => {
        const text = records.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')).join('\n');
        assert.deepEqual(parseCsv(text), records);
      }),
    );
  });
});

describe('token file', () => {
  it('reads users and their groups', async () => {
    const entries = parseTokenFile('t1,jane,u1,"dev,ops"\n,nobody,u0\nt2,old,u2\nt2,bob,u3\n');
    assert.deepEqual(
      entries.map(({ token, user }) => [token, user.name, user.uid, user.groups]),
      [
        ['t1', 'jane', 'u1', ['dev', 'ops']],
        ['t2', 'bob', 'u3', []],
      ],
    );
    const tokens = tokenAuthenticator(entries);
    assert.equal((await tokens.authenticate({ bearerToken: 't1' }))?.name, 'jane');
    assert.equal(await tokens.authenticate({ bearerToken: 't' }), undefined);
    assert.equal(await tokens.authenticate({}), undefined);
  });

  it('refuses short lines', () => {
    assert.throws(() => parseTokenFile('a,b'), /at least 3 columns .* found 2/);
  });
});

describe('client certificate', () => {
  let time = 150;
  const presented: number[] = [];
  const authenticator = clientCertificateAuthenticator(
    () => time,
    (seconds) => presented.push(seconds),
  );
  const certificate = {
    commonName: 'jane',
    organizations: ['dev'],
    uid: 'u',
    sha256: 'ab',
    validity: [
      { notBefore: 100, notAfter: 200 },
      { notBefore: 300, notAfter: 400 },
    ],
  };

  it('becomes a user with a credential id', async () => {
    const user = await authenticator.authenticate({ certificate });
    assert.deepEqual(user, {
      name: 'jane',
      uid: 'u',
      groups: ['dev'],
      extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ab'] },
    });
  });

  it('is rejected when it was not verified, and ignored without a name', async () => {
    assert.throws(() => authenticator.authenticate({ certificateError: 'expired' }), isUnauthorized);
    assert.equal(await authenticator.authenticate({ certificate: { ...certificate, commonName: '' } }), undefined);
  });

  it('is reported with the time that it remains valid', async () => {
    presented.length = 0;
    await authenticator.authenticate({ certificate });
    assert.deepEqual(presented, [0.25]);
  });

  it('is valid only within its validity period, whenever the connection was opened', async () => {
    for (const [now, isGood] of [
      [99, false],
      [100, true],
      [200, true],
      [201, false],
      [300, true],
    ] as const) {
      time = now;
      if (isGood) assert.ok(await authenticator.authenticate({ certificate }));
      else assert.throws(() => authenticator.authenticate({ certificate }), isUnauthorized);
    }
  });
});

describe('unionAuthenticator', () => {
  const tokens = tokenAuthenticator(parseTokenFile('t,jane,u'));
  const authenticate = unionAuthenticator({
    authenticators: [clientCertificateAuthenticator(() => 0), tokens],
    anonymous: true,
  });

  it('adds system:authenticated', async () => {
    assert.deepEqual((await authenticate({ bearerToken: 't' })).groups, ['system:authenticated']);
  });

  it('makes one user object for the requests with a certificate, or with a token', async () => {
    const validity = [{ notBefore: 0, notAfter: 1 }];
    const certificate = { commonName: 'jane', organizations: ['dev'], validity };
    const user = await authenticate({ certificate });
    assert.deepEqual(user.groups, ['dev', 'system:authenticated']);
    assert.equal(await authenticate({ certificate }), user);
    assert.notEqual(await authenticate({ certificate: { ...certificate } }), user);
    assert.equal(await authenticate({ bearerToken: 't' }), await authenticate({ bearerToken: 't' }));
  });

  it('accepts a valid token despite an invalid certificate', async () => {
    assert.equal((await authenticate({ bearerToken: 't', certificateError: 'expired' })).name, 'jane');
    assert.throws(() => authenticate({ certificateError: 'expired' }), isUnauthorized);
  });

  it('makes a request without credentials anonymous, but not one with a wrong token', async () => {
    assert.equal((await authenticate({})).name, 'system:anonymous');
    assert.throws(() => authenticate({ bearerToken: 'wrong' }), isUnauthorized);
    const strict = unionAuthenticator({ authenticators: [tokens], anonymous: false });
    assert.throws(() => strict({}), isUnauthorized);
  });

  it('makes requests for some paths anonymous', async () => {
    const some = unionAuthenticator({ authenticators: [tokens], anonymous: (path) => path === '/livez' });
    assert.equal((await some({ path: '/livez' })).name, 'system:anonymous');
    for (const path of ['/readyz', '/livez/']) assert.throws(() => some({ path }), isUnauthorized);
    assert.throws(() => some({ path: '/livez', bearerToken: 'wrong' }), isUnauthorized);
  });

  it('joins the reasons of several refusals, each once', async () => {
    const refusing = (reason: string): Authenticator => ({
      name: reason,
      authenticate: () => Promise.reject(refused(reason)),
    });
    const authenticators = [refusing('a'), tokens, refusing('b'), refusing('b')];
    const union = unionAuthenticator({ authenticators, anonymous: true });
    await assert.rejects(async () => union({ bearerToken: 'x' }), { cause: 'a, b' });
    assert.equal((await union({ bearerToken: 't' })).name, 'jane');
  });

  it('waits for authenticators that are asynchronous', async () => {
    const slow: Authenticator = { name: 'slow', authenticate: () => Promise.reject(unauthorized()) };
    const mixed = unionAuthenticator({ authenticators: [slow, tokens], anonymous: true });
    assert.equal((await mixed({ bearerToken: 't' })).name, 'jane');
    await assert.rejects(async () => mixed({}), isUnauthorized);
    const broken: Authenticator = { name: 'broken', authenticate: () => Promise.reject(new Error('down')) };
    await assert.rejects(async () => unionAuthenticator({ authenticators: [broken], anonymous: true })({}), /down/);
  });
});

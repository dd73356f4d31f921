import assert from 'node:assert/strict';
import { constants, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  isSignedBy,
  makeSigningKeyText,
  readSigningKey,
  readVerificationKeys,
  signBytes,
  tokenKeys,
} from './signing-keys.js';
import { makeTestKey, testKeyText } from './keys.testing.js';

describe('signing keys', () => {
  it('are generated as RSA keys of 2048 bits', async () => {
    const key = readSigningKey(await makeSigningKeyText());
    assert.equal(key.algorithm.name, 'RS256');
    assert.equal(key.publicKey.asymmetricKeyDetails?.modulusLength, 2048);
    const bytes = Buffer.from('text');
    assert.ok(isSignedBy(bytes, signBytes(bytes, key), key, 'RS256'));
    assert.ok(!isSignedBy(Buffer.from('other'), signBytes(bytes, key), key, 'RS256'));
    for (const algorithm of ['RS512', 'PS256', 'ES256', 'HS256', 'none', '']) {
      assert.ok(!isSignedBy(bytes, signBytes(bytes, key), key, algorithm), algorithm);
    }
  });

  it('sign by their curve, with signatures of two numbers', () => {
    const lengths = new Map([
      ['P-256', ['ES256', 64]],
      ['P-384', ['ES384', 96]],
      ['P-521', ['ES512', 132]],
    ]);
    for (const [curve, expected] of lengths) {
      const key = makeTestKey(curve);
      const signature = signBytes(Buffer.from('text'), key);
      assert.deepEqual([key.algorithm.name, signature.length], expected);
      assert.ok(isSignedBy(Buffer.from('text'), signature, key, key.algorithm.name));
    }
  });

  it("verify all of upstream's signatures for keys of their kind", () => {
    const bytes = Buffer.from('text');
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rsa = readSigningKey(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    for (const bits of ['256', '384', '512']) {
      const hash = `sha${bits}`;
      assert.ok(isSignedBy(bytes, sign(hash, bytes, rsa.privateKey), rsa, `RS${bits}`));
      const signature = sign(hash, bytes, { key: rsa.privateKey, padding });
      assert.ok(isSignedBy(bytes, signature, rsa, `PS${bits}`));
    }
    const ec = makeTestKey();
    const short = sign('sha512', bytes, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
    const zeros = Buffer.alloc(66 - 32);
    const long = Buffer.concat([zeros, short.subarray(0, 32), zeros, short.subarray(32)]);
    assert.ok(isSignedBy(bytes, long, ec, 'ES512'));
    assert.ok(!isSignedBy(bytes, short, ec, 'ES512'));
    assert.ok(!isSignedBy(bytes, long.fill(1, 0, 1), ec, 'ES512'));
  });

  it('verify nothing if they are RSA keys of less than 1024 bits', () => {
    const bytes = Buffer.from('text');
    for (const [modulusLength, expected] of [
      [1024, true],
      [512, false],
    ] as const) {
      const pair = generateKeyPairSync('rsa', { modulusLength, publicExponent: 3 });
      assert.equal(isSignedBy(bytes, sign('sha256', bytes, pair.privateKey), pair, 'RS256'), expected);
    }
  });

  it('are read from files with several blocks, public and private', () => {
    const first = testKeyText();
    const second = createPublicKey(testKeyText()).export({ format: 'pem', type: 'spki' }).toString();
    const keys = readVerificationKeys(`some words\n${first}\n${second}`);
    assert.equal(keys.length, 2);
    assert.equal(keys[0]?.id, readSigningKey(first).id);
    assert.match(keys[1]?.id ?? '', /^[\w-]{43}$/);
  });

  it('are kept once each, the signing key first', () => {
    const [own, other] = [makeTestKey(), makeTestKey()];
    assert.deepEqual(
      tokenKeys(own, [other, own, other]).verification.map(({ id }) => id),
      [own.id, other.id],
    );
  });

  it('are rejected when they are not usable', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const edwards = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    assert.throws(() => readSigningKey(edwards), /^Error: a key must be of RSA/);
    assert.throws(() => readSigningKey('text'), /^Error: the file holds no PEM private key$/);
    assert.throws(() => readVerificationKeys(''), /^Error: the file holds no PEM public key$/);
    assert.throws(() => readSigningKey('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'));
  });
});

import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import { arePresentable } from './presented-certificates.js';

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
const sequence = (...parts: readonly Buffer[]): Buffer => element(0x30, ...parts);
const integer = (bytes: number): Buffer => element(2, Buffer.alloc(bytes, 0x7f));

/** As much of a certificate as is looked at. */
const certificateOf = (key: Buffer): Buffer => {
  const version = element(0xa0, integer(1));
  const others = [integer(1), sequence(), sequence(), sequence(), sequence()];
  return sequence(sequence(version, ...others, key), sequence(), element(3));
};
const rsaKey = (modulusBytes: number, exponentBytes: number): Buffer => {
  const type = sequence(element(6, Buffer.from('2a864886f70d010101', 'hex')), element(5));
  return sequence(type, element(3, Buffer.of(0), sequence(integer(modulusBytes), integer(exponentBytes))));
};
const inDer = ({ publicKey }: { readonly publicKey: KeyObject }): Buffer =>
  publicKey.export({ type: 'spki', format: 'der' });
const curveKey = (namedCurve: string): Buffer => inDer(generateKeyPairSync('ec', { namedCurve }));

describe('certificates that a client presents', () => {
  const quick = certificateOf(curveKey('P-256'));

  for (const [name, key, expected] of [
    ['RSA with 2048 bits', rsaKey(256, 3), true],
    ['RSA with 8192 bits', rsaKey(1025, 4), true],
    ['RSA with more bits', rsaKey(1026, 3), false],
    ['RSA with a large exponent', rsaKey(384, 5), false],
    ['RSA with an exponent as large as the modulus', rsaKey(384, 384), false],
    ['P-224', curveKey('secp224r1'), true],
    ['P-521', curveKey('P-521'), true],
    ['a binary curve', curveKey('sect571r1'), false],
    ['another curve', curveKey('secp256k1'), false],
    [
      'a curve by its parameters',
      inDer(generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' })),
      false,
    ],
    ['Ed25519', inDer(generateKeyPairSync('ed25519')), true],
    ['Ed448', inDer(generateKeyPairSync('ed448')), false],
    ['no key', sequence(), false],
  ] as const) {
    it(`with keys of ${name} are ${expected ? '' : 'not '}verified`, () => {
      assert.equal(arePresentable([quick, certificateOf(key)]), expected);
    });
  }

  it('may be none, and are not many', () => {
    assert.equal(arePresentable([]), true);
    assert.equal(arePresentable(Array.from({ length: 10 }, () => quick)), true);
    assert.equal(arePresentable(Array.from({ length: 11 }, () => quick)), false);
  });

  it('are DER', () => {
    assert.equal(arePresentable([Buffer.alloc(0)]), false);
    assert.equal(arePresentable([Buffer.from('no certificate')]), false);
    // What OpenSSL reads in spite of a length that is longer than necessary.
    assert.equal(arePresentable([Buffer.concat([Buffer.of(0x30, 0x83, 0), quick.subarray(2)])]), false);
  });
});

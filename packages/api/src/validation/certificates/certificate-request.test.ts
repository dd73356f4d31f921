import assert from 'node:assert/strict';
import { constants, generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { readCertificateRequest } from '@binnacle/apimachinery/certificaterequests';
import { certificateRequestProblem } from './certificate-request.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY = publicKey.export({ format: 'der', type: 'spki' });
const ECDSA_WITH_SHA256 = element(0x30, identifier(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const RSA_WITH_SHA256 = element(0x30, identifier(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b));
const VERSION = element(0x02, [0]);
const MALFORMED = 'x509: malformed certificate request';
const NOT_PEM = 'PEM block type must be CERTIFICATE REQUEST';
const DUPLICATE = 'x509: certificate request contains duplicate requested extensions';

type Bytes = Uint8Array | readonly number[];

function element(tag: number, ...contents: Bytes[]): Buffer {
  const content = Buffer.concat(contents.map((bytes) => Buffer.from(bytes)));
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  if (content.length >= 0x80 && content.length < 0x100) length.splice(0, 2, 0x81);
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function identifier(...octets: number[]): Buffer {
  return element(0x06, octets);
}

/** One relative distinguished name; type 3 is the common name, 10 the organization. */
function named(type: number, tag: number, value: Bytes): Buffer {
  return element(0x31, element(0x30, identifier(0x55, 0x04, type), element(tag, value)));
}

function utf8(type: number, text: string): Buffer {
  return named(type, 0x0c, Buffer.from(text));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE REQUEST-----', ...lines, '-----END CERTIFICATE REQUEST-----', ''].join('\n');
}

function signed(info: Buffer, algorithm = ECDSA_WITH_SHA256, ...more: Buffer[]): string {
  return pem(element(0x30, info, algorithm, element(0x03, [0], sign('sha256', info, privateKey)), ...more));
}

function request(subject: Buffer[], attributes: Buffer[] = []): string {
  return signed(element(0x30, VERSION, element(0x30, ...subject), KEY, element(0xa0, ...attributes)));
}

function extensions(...list: Buffer[]): Buffer {
  const type = identifier(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x0e);
  return element(0x30, type, element(0x31, element(0x30, ...list)));
}

function alternativeNames(...names: Buffer[]): Buffer {
  return element(0x30, identifier(0x55, 0x1d, 0x11), element(0x04, element(0x30, ...names)));
}

function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64');
}

test('reads the subject of a request as Go does', () => {
  const wide = Buffer.from('masters', 'utf16le').swap16();
  const subject = [utf8(3, 'first'), named(10, 0x1e, wide), named(10, 0x13, Buffer.from('ops')), utf8(3, 'jäne')];
  const read = readCertificateRequest(base64(request(subject)));
  assert.ok(typeof read !== 'string');
  assert.deepEqual([read.commonName, read.organizations], ['jäne', ['masters', 'ops']]);
  assert.equal(certificateRequestProblem(base64(request(subject))), undefined);
});

test('rejects a request whose PEM is ambiguous', () => {
  const good = request([utf8(3, 'jane')]);
  const cases: readonly [string, string | undefined][] = [
    [good, undefined],
    [`Certificate Request:\n${good}`, undefined],
    [good.replaceAll('\n', '\r\n'), undefined],
    [good.trimEnd(), undefined],
    ['', NOT_PEM],
    [good.replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'), NOT_PEM],
    [`${good}${good}`, 'must contain exactly one PEM block'],
    [good.replace('-----\n', '-----\nX: y\n'), 'no PEM block headers are permitted'],
    [good.replace('-----\n', '-----\nX: y\n\n'), 'no PEM block headers are permitted'],
    [good.replaceAll('\n', ' \n'), NOT_PEM],
    [good.replaceAll('\n', '\n\n'), NOT_PEM],
    [good.replace('BEGIN ', 'BEGIN\t'), NOT_PEM],
    [` ${good}`, NOT_PEM],
    [good.replace('-----\n', '-----\n!'), NOT_PEM],
    [`-----BEGIN CERTIFICATE REQUEST-----\n${good}`, NOT_PEM],
    [`-----BEGIN CERTIFICATE REQUEST-----\n!!!!\n-----END CERTIFICATE REQUEST-----\n${good}`, NOT_PEM],
    [`-----BEGIN X-----\nAAAA\n-----END X-----\n${good}`, NOT_PEM],
    [good.replace('-----END CERTIFICATE', '-----END OTHER'), NOT_PEM],
  ];
  for (const [text, problem] of cases) assert.equal(certificateRequestProblem(base64(text)), problem, text);
});

test('rejects a request that is not strict DER, or repeats a field', () => {
  const jane = [utf8(3, 'jane')];
  const info = element(0x30, VERSION, element(0x30, ...jane), KEY, element(0xa0));
  const nothing = element(0x05);
  const cases: readonly [string, string][] = [
    [request([named(10, 0x1c, Buffer.from('\0\0\0x'))]), MALFORMED],
    [request([named(10, 0x0c, [0xff])]), MALFORMED],
    [request([named(10, 0x13, Buffer.from('a_b'))]), MALFORMED],
    [request([named(10, 0x1e, [0xd8, 0x00])]), MALFORMED],
    [request([named(10, 0x04, Buffer.from('x'))]), MALFORMED],
    [request([element(0x31)]), MALFORMED],
    [signed(info, ECDSA_WITH_SHA256, nothing), MALFORMED],
    [signed(element(0x30, VERSION, element(0x30, ...jane), KEY, element(0xa0), nothing)), MALFORMED],
    [signed(element(0x30, VERSION, element(0x30, ...jane), KEY)), MALFORMED],
    [signed(element(0x30, element(0x02, [1]), element(0x30, ...jane), KEY, element(0xa0))), MALFORMED],
    [pem(Buffer.concat([Buffer.from([0x30, 0x80]), info, Buffer.of(0, 0)])), MALFORMED],
    [
      pem(element(0x30, info, ECDSA_WITH_SHA256, element(0x03, [0], sign('sha256', KEY, privateKey)))),
      'x509: ECDSA verification failure',
    ],
    [
      signed(info, RSA_WITH_SHA256),
      'x509: signature algorithm specifies an RSA public key, but have public key of type *ecdsa.PublicKey',
    ],
    [signed(info, element(0x30, identifier(0x2a, 3))), 'x509: cannot verify signature: algorithm unimplemented'],
    [request(jane, [nothing]), MALFORMED],
    [request(jane, [extensions(), extensions()]), DUPLICATE],
    [request(jane, [extensions(alternativeNames(), alternativeNames())]), DUPLICATE],
    [request(jane, [extensions(alternativeNames(element(0x82, [0xe4])))]), 'x509: SAN dNSName is malformed'],
    [
      request(jane, [extensions(alternativeNames(element(0x87, [1, 2, 3])))]),
      'x509: cannot parse IP address of length 3',
    ],
    [
      request(jane, [extensions(alternativeNames(element(0x86, Buffer.from('http://a..b/'))))]),
      'x509: cannot parse URI "http://a..b/": invalid domain',
    ],
  ];
  for (const [text, problem] of cases) assert.equal(certificateRequestProblem(base64(text)), problem);
  const names = ['spiffe://a.example/ns/b', 'urn:uuid:1', 'https://a.example:8443?x=%20'];
  const uris = alternativeNames(...names.map((name) => element(0x86, Buffer.from(name))));
  assert.equal(certificateRequestProblem(base64(request(jane, [extensions(uris)]))), undefined);
});

test('accepts RSA-PSS signatures with one hash and a salt of its length', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = rsa.publicKey.export({ format: 'der', type: 'spki' });
  const info = element(0x30, VERSION, element(0x30, utf8(3, 'a')), key, element(0xa0));
  const hash = (last: number): Buffer =>
    element(0x30, identifier(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, last), element(0x05));
  const algorithm = (digest: Buffer, maskDigest: Buffer, salt: number, ...more: Buffer[]): Buffer => {
    const mask = element(0x30, identifier(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08), maskDigest);
    const parts = [element(0xa0, digest), element(0xa1, mask), element(0xa2, element(0x02, [salt])), ...more];
    return element(0x30, identifier(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a), element(0x30, ...parts));
  };
  const problem = (identified: Buffer, digest: string, saltLength: number) => {
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const signature = sign(digest, info, { key: rsa.privateKey, padding, saltLength });
    return certificateRequestProblem(base64(pem(element(0x30, info, identified, element(0x03, [0], signature)))));
  };
  assert.equal(problem(algorithm(hash(1), hash(1), 32), 'sha256', 32), undefined);
  assert.equal(problem(algorithm(hash(2), hash(2), 48), 'sha384', 48), undefined);
  assert.equal(problem(algorithm(hash(3), hash(3), 64), 'sha512', 64), undefined);
  const unknown = 'x509: cannot verify signature: algorithm unimplemented';
  const trailer = element(0xa3, element(0x02, [2]));
  for (const identified of [
    algorithm(hash(1), hash(2), 32),
    algorithm(hash(1), hash(1), 20),
    algorithm(hash(4), hash(4), 28),
    algorithm(hash(1), hash(1), 32, trailer),
    element(0x30, identifier(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a)),
  ]) {
    assert.equal(problem(identified, 'sha256', 32), unknown);
  }
  const failure = 'crypto/rsa: verification error';
  assert.equal(problem(algorithm(hash(1), hash(1), 32), 'sha256', 20), failure);
  assert.equal(problem(algorithm(hash(1), hash(1), 32), 'sha384', 48), failure);
});

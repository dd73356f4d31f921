import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { DerError } from '@binnacle/apimachinery/der';
import { makeTestCertificate } from '../../testing/index.js';
import { followPeer, readAuthorities, readIdentity } from './peer-certificate.js';

function element(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

function named(type: readonly number[], value: string, tag = 0x0c): Buffer {
  const parts = [element(0x06, Buffer.from(type)), element(tag, Buffer.from(value))];
  return element(0x31, element(0x30, ...parts));
}

/** As much of a certificate as names its owner. */
function certificate(...subject: Buffer[]): Buffer {
  const sequence = element(0x30);
  const version = element(0xa0, element(0x02, Buffer.of(2)));
  const serial = element(0x02, Buffer.of(1));
  return element(0x30, element(0x30, version, serial, sequence, sequence, sequence, element(0x30, ...subject)));
}

const CN = [0x55, 0x04, 0x03];
const O = [0x55, 0x04, 0x0a];
const UID = [0x2b, 0x06, 0x01, 0x04, 0x01, 0x83, 0xc2, 0x53, 0x02];

test('the owner of a certificate', () => {
  const subject = [named(O, 'dev'), named(CN, 'first'), named(O, 'ops', 0x13), named(CN, 'jane'), named(UID, 'u-1')];
  assert.deepEqual(readIdentity(certificate(...subject)), {
    commonName: 'jane',
    organizations: ['dev', 'ops'],
    uid: 'u-1',
  });
  assert.deepEqual(readIdentity(certificate()), { commonName: '', organizations: [] });
});

test('an owner that other readers do not see is refused', () => {
  for (const subject of [
    [named(CN, 'jane'), named(O, '\0\0\0x', 0x1c)],
    [named(CN, 'jane'), named(UID, 'a'), named(UID, 'b')],
    [named(CN, 'jane'), named(UID, '')],
  ]) {
    assert.throws(() => readIdentity(certificate(...subject)), DerError);
  }
});

test('the peer of a connection is judged again when the authorities change', () => {
  const jane = makeTestCertificate('/CN=jane');
  const [own, none] = [readAuthorities([jane.certificate]), readAuthorities([])];
  let authorities = { clients: own, proxies: none };
  let presented: X509Certificate | undefined = new X509Certificate(jane.certificate);
  const peer = followPeer({ authorized: true, getPeerX509Certificate: () => presented }, 'here', () => authorities);
  const seen = () => {
    const { certificate, certificateError, proxyCertificate } = peer();
    return [certificate?.commonName, proxyCertificate?.commonName, certificateError];
  };
  const unknown = 'x509: certificate signed by unknown authority';
  assert.deepEqual(seen(), ['jane', undefined, undefined]);
  assert.equal(peer(), peer());
  authorities = { clients: none, proxies: own };
  assert.deepEqual(seen(), [undefined, 'jane', unknown]);
  authorities = { clients: own, proxies: none };
  assert.deepEqual(seen(), ['jane', undefined, undefined]);
  presented = undefined;
  assert.deepEqual(seen(), ['jane', undefined, undefined]);
  authorities = { clients: own, proxies: own };
  assert.deepEqual(seen(), [undefined, undefined, unknown], 'the socket is closed');
});

test('a peer without a certificate has none', () => {
  let authorities = { clients: readAuthorities([]), proxies: readAuthorities([]) };
  const peer = followPeer({ authorized: false, getPeerX509Certificate: () => undefined }, 'here', () => authorities);
  authorities = { ...authorities };
  const { certificate, certificateError, address } = peer();
  assert.deepEqual([certificate, certificateError, address], [undefined, undefined, 'here']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DerError } from '@binnacle/apimachinery/der';
import { readIdentity } from './peer-certificate.js';

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

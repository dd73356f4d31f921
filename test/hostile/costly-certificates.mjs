import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';

/*
 * Client certificate chains that are costly to verify. All their signatures are wrong, which only shows when they are
 * verified.
 */

const element = (tag, ...parts) => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
};
const sequence = (...parts) => element(0x30, ...parts);
const integer = (bytes) => element(2, bytes[0] & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
const bitString = (bytes) => element(3, Buffer.of(0), bytes);
const identifier = (hex) => element(6, Buffer.from(hex, 'hex'));
const commonName = (text) => sequence(element(0x31, sequence(identifier('550403'), element(12, Buffer.from(text)))));
const validity = sequence(...['250101000000Z', '490101000000Z'].map((time) => element(0x17, Buffer.from(time))));
const number = (bytes, first) => Buffer.concat([Buffer.of(first), randomBytes(bytes - 2), Buffer.of(1)]);

/** Functions that make the parts of a certificate: how it is signed, its key, its signature. */
const kinds = {
  /** OpenSSL accepts exponents as large as the modulus up to 3072 bits. */
  'RSA keys with large exponents': {
    algorithm: sequence(identifier('2a864886f70d01010b'), element(5)),
    key: () =>
      sequence(
        sequence(identifier('2a864886f70d010101'), element(5)),
        bitString(sequence(integer(number(384, 0xff)), integer(number(384, 0xf0)))),
      ),
    signature: () => number(384, 1),
  },
  'keys of the slowest curve': {
    algorithm: sequence(identifier('2a8648ce3d040304')),
    key: () => {
      const pair = createECDH('sect571r1');
      pair.generateKeys();
      const point = pair.getPublicKey(null, 'compressed');
      return sequence(sequence(identifier('2a8648ce3d0201'), identifier('2b81040027')), bitString(point));
    },
    signature: () => sequence(integer(Buffer.of(3)), integer(Buffer.of(5))),
  },
};
export const costlyKinds = Object.keys(kinds);

/** In the form of Node.js' TLS: the client's own certificate first, with a cheap key, then its issuers. */
export function costlyChain(kind, count) {
  const { algorithm, key, signature } = kinds[kind];
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = (subject, ownKey) => {
    const version = element(0xa0, integer(Buffer.of(2)));
    const names = [commonName(`c${subject + 1}`), validity, commonName(`c${subject}`)];
    const toBeSigned = sequence(version, integer(Buffer.of(1)), algorithm, ...names, ownKey);
    return sequence(toBeSigned, algorithm, bitString(signature()));
  };
  const chain = Array.from({ length: count }, (_, index) =>
    certificate(index, index === 0 ? publicKey.export({ type: 'spki', format: 'der' }) : key()),
  );
  return { cert: chain.map(inPem).join(''), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) };
}

function inPem(certificate) {
  const lines = certificate.toString('base64').match(/.{1,64}/g);
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

import { generateKeyPairSync, sign } from 'node:crypto';

export interface RequestedNames {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly emailAddresses?: readonly string[];
}

const COMMON_NAME = [0x55, 4, 3];
const ORGANIZATION = [0x55, 4, 10];
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2];
const EXTENSION_REQUEST = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 14];
const ALTERNATIVE_NAME = [0x55, 0x1d, 17];

/** A certificate request with a new key, as a CertificateSigningRequest has it: base64 of PEM. */
export function certificateRequest({ commonName, organizations = [], ...names }: RequestedNames): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const levels = [...organizations.map((each) => level(ORGANIZATION, each)), level(COMMON_NAME, commonName)];
  const key = publicKey.export({ format: 'der', type: 'spki' });
  const information = element(0x30, [2, 1, 0], element(0x30, ...levels), key, element(0xa0, ...extensions(names)));
  const signature = element(3, [0], sign('sha256', information, privateKey));
  const der = element(0x30, information, element(0x30, element(6, ECDSA_WITH_SHA256)), signature);
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  const pem = ['-----BEGIN CERTIFICATE REQUEST-----', ...lines, '-----END CERTIFICATE REQUEST-----', ''].join('\n');
  return Buffer.from(pem).toString('base64');
}

function extensions({ dnsNames = [], emailAddresses = [] }: Omit<RequestedNames, 'commonName'>): Buffer[] {
  const entries = [
    ...dnsNames.map((name) => element(0x82, Buffer.from(name))),
    ...emailAddresses.map((address) => element(0x81, Buffer.from(address))),
  ];
  if (entries.length === 0) return [];
  const extension = element(0x30, element(6, ALTERNATIVE_NAME), element(4, element(0x30, ...entries)));
  return [element(0x30, element(6, EXTENSION_REQUEST), element(0x31, element(0x30, extension)))];
}

function level(type: readonly number[], value: string): Buffer {
  return element(0x31, element(0x30, element(6, type), element(0x0c, Buffer.from(value))));
}

function element(tag: number, ...contents: readonly (Uint8Array | readonly number[])[]): Buffer {
  const content = Buffer.concat(contents.map((bytes) => Uint8Array.from(bytes)));
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Uint8Array.from([tag, ...size]), content]);
}

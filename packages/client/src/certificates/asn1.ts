import {
  type BaseBlock,
  BitString,
  Boolean as Asn1Boolean,
  Constructed,
  fromBER,
  Null,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
} from 'asn1js';
import { type KeyObject, sign } from 'node:crypto';

const contextSpecific = 3;

export function sequence(...value: BaseBlock[]): Sequence {
  return new Sequence({ value });
}

export function oid(value: string): ObjectIdentifier {
  return new ObjectIdentifier({ value });
}

export function tagged(tagNumber: number, value: BaseBlock): Constructed {
  return new Constructed({ idBlock: { tagClass: contextSpecific, tagNumber }, value: [value] });
}

export function primitive(tagNumber: number, valueHex: Uint8Array<ArrayBuffer>): Primitive {
  return new Primitive({ idBlock: { tagClass: contextSpecific, tagNumber }, valueHex });
}

export function extension(type: string, critical: boolean, value: BaseBlock): BaseBlock {
  const flag = critical ? [new Asn1Boolean({ value: true })] : [];
  return sequence(oid(type), ...flag, new OctetString({ valueHex: new Uint8Array(value.toBER()) }));
}

export function decode(encoded: Uint8Array<ArrayBuffer>): BaseBlock {
  const { offset, result } = fromBER(encoded);
  if (offset === -1) throw new Error(`not in the encoding of certificates: ${result.error}`);
  return result;
}

export function child(block: BaseBlock, index: number): BaseBlock {
  const found = block instanceof Constructed ? block.valueBlock.value[index] : undefined;
  if (found === undefined) throw new Error('a certificate or key lacks one of its parts');
  return found;
}

/** Digests and algorithms of elliptic curves, by OpenSSL's name. Others use SHA-256. Upstream: Go's `crypto/x509`. */
const ofCurves: ReadonlyMap<string | undefined, readonly [digest: string, algorithm: string]> = new Map([
  ['secp384r1', ['sha384', '1.2.840.10045.4.3.3']],
  ['secp521r1', ['sha512', '1.2.840.10045.4.3.4']],
]);

/** Signs content with the usual algorithm for the key, which the content must name too. Throws for a key of an unknown type. */
export function signed(content: (algorithm: BaseBlock) => BaseBlock, key: KeyObject): Uint8Array<ArrayBuffer> {
  const { digest, algorithm } = algorithmFor(key);
  const toBeSigned = content(algorithm());
  const signature = sign(digest, new Uint8Array(toBeSigned.toBER()), key);
  const whole = sequence(toBeSigned, algorithm(), new BitString({ valueHex: new Uint8Array(signature) }));
  return new Uint8Array(whole.toBER());
}

interface KeyAlgorithm {
  readonly digest: string | null;
  readonly algorithm: () => BaseBlock;
}

function algorithmFor({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): KeyAlgorithm {
  switch (asymmetricKeyType) {
    case 'rsa':
      return { digest: 'sha256', algorithm: () => sequence(oid('1.2.840.113549.1.1.11'), new Null()) };
    case 'ec': {
      const [digest, name] = ofCurves.get(asymmetricKeyDetails?.namedCurve) ?? ['sha256', '1.2.840.10045.4.3.2'];
      return { digest, algorithm: () => sequence(oid(name)) };
    }
    case 'ed25519':
      return { digest: null, algorithm: () => sequence(oid('1.3.101.112')) };
    default:
      throw new Error(`cannot sign with a key of type ${asymmetricKeyType ?? 'secret'}`);
  }
}

import {
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';
import { isStrongRsaKey } from '@binnacle/apimachinery/der';

/** The signature algorithm for one kind of key. */
interface Algorithm {
  /** Its name in the headers of tokens and key sets. */
  readonly name: string;
  readonly hash: 'sha256' | 'sha384' | 'sha512';
}

/** A key that verifies tokens. */
export interface VerificationKey {
  /** Its name in the headers of tokens. */
  readonly id: string;
  readonly algorithm: Algorithm;
  readonly publicKey: KeyObject;
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

export interface TokenKeys {
  readonly signing: SigningKey;
  /** The signing key comes first; no key is repeated. */
  readonly verification: readonly VerificationKey[];
}

const RS256: Algorithm = { name: 'RS256', hash: 'sha256' };
const CURVES: ReadonlyMap<string | undefined, Algorithm> = new Map([
  ['prime256v1', { name: 'ES256', hash: 'sha256' }],
  ['secp384r1', { name: 'ES384', hash: 'sha384' }],
  ['secp521r1', { name: 'ES512', hash: 'sha512' }],
]);
type Hash = Algorithm['hash'];
type Scheme =
  | { readonly keyType: 'rsa'; readonly hash: Hash; readonly isPss: boolean }
  | { readonly keyType: 'ec'; readonly hash: Hash; readonly coordinateBytes: number };

/** The algorithms that verify tokens, whatever the server signs with. Upstream: go-jose `verifyPayload`. */
const SCHEMES: ReadonlyMap<string, Scheme> = new Map<string, Scheme>([
  ['RS256', { keyType: 'rsa', hash: 'sha256', isPss: false }],
  ['RS384', { keyType: 'rsa', hash: 'sha384', isPss: false }],
  ['RS512', { keyType: 'rsa', hash: 'sha512', isPss: false }],
  ['PS256', { keyType: 'rsa', hash: 'sha256', isPss: true }],
  ['PS384', { keyType: 'rsa', hash: 'sha384', isPss: true }],
  ['PS512', { keyType: 'rsa', hash: 'sha512', isPss: true }],
  ['ES256', { keyType: 'ec', hash: 'sha256', coordinateBytes: 32 }],
  ['ES384', { keyType: 'ec', hash: 'sha384', coordinateBytes: 48 }],
  ['ES512', { keyType: 'ec', hash: 'sha512', coordinateBytes: 66 }],
]);
const COORDINATE_BYTES: ReadonlyMap<string | undefined, number> = new Map([
  ['prime256v1', 32],
  ['secp384r1', 48],
  ['secp521r1', 66],
]);
const BLOCK =
  /-----BEGIN ((?:RSA |EC )?PRIVATE KEY|(?:RSA )?PUBLIC KEY|CERTIFICATE)-----[A-Za-z0-9+/=\s]+-----END \1-----/g;

/** Generates a private key as PEM, off the main thread. Upstream: kubeadm's `sa.key`. */
export async function makeSigningKeyText(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

/** Reads a PEM text that holds a private key. Throws an Error that describes the fault. */
export function readSigningKey(text: string): SigningKey {
  const block = blocksOf(text).find((each) => each.includes('PRIVATE KEY'));
  if (block === undefined) throw new Error('the file holds no PEM private key');
  const privateKey = createPrivateKey(block);
  return { ...describe(createPublicKey(privateKey)), privateKey };
}

/**
 * Reads the public keys of a PEM text, which may also hold private keys and certificates. Throws an Error that
 * describes the fault.
 * Upstream: client-go `util/keyutil` PublicKeysFromFile.
 */
export function readVerificationKeys(text: string): VerificationKey[] {
  const blocks = blocksOf(text);
  if (blocks.length === 0) throw new Error('the file holds no PEM public key');
  return blocks.map((block) => describe(createPublicKey(block)));
}

export function tokenKeys(signing: SigningKey, others: readonly VerificationKey[] = []): TokenKeys {
  const keys = new Map([signing, ...others].map((key) => [key.id, key]));
  return { signing, verification: [...keys.values()] };
}

export function signBytes(bytes: Buffer, { privateKey, algorithm }: SigningKey): Buffer {
  return sign(algorithm.hash, bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

/**
 * Whether the key made the signature with the named algorithm, which must be one for keys of its kind. A weak RSA key verifies no
 * signature.
 */
export function isSignedBy(
  bytes: Buffer,
  signature: Buffer,
  { publicKey }: Pick<VerificationKey, 'publicKey'>,
  algorithm: string,
): boolean {
  const scheme = SCHEMES.get(algorithm);
  if (scheme === undefined || scheme.keyType !== publicKey.asymmetricKeyType) return false;
  if (scheme.keyType === 'rsa') {
    if (!isStrongRsaKey(publicKey.asymmetricKeyDetails ?? {})) return false;
    const padding = scheme.isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
    const key = { key: publicKey, padding, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
    return verify(scheme.hash, bytes, key, signature);
  }
  const own = signature.length === 2 * scheme.coordinateBytes ? ofCurve(signature, publicKey) : undefined;
  return own !== undefined && verify(scheme.hash, bytes, { key: publicKey, dsaEncoding: 'ieee-p1363' }, own);
}

/**
 * The algorithm fixes the encoded length of both numbers; the key's curve limits their size. Undefined when one is too
 * large.
 */
function ofCurve(signature: Buffer, { asymmetricKeyDetails }: KeyObject): Buffer | undefined {
  const bytes = COORDINATE_BYTES.get(asymmetricKeyDetails?.namedCurve) ?? 0;
  const half = signature.length / 2;
  const numbers = [signature.subarray(0, half), signature.subarray(half)];
  const padded = numbers.map((number) => {
    const first = number.findIndex((octet) => octet !== 0);
    const digits = number.subarray(first < 0 ? half : first);
    return digits.length > bytes ? undefined : Buffer.concat([Buffer.alloc(bytes - digits.length), digits]);
  });
  return padded.includes(undefined) ? undefined : Buffer.concat(padded.filter((number) => number !== undefined));
}

function blocksOf(text: string): readonly string[] {
  return text.match(BLOCK) ?? [];
}

/**
 * The id is a digest and does not reveal the key.
 * Upstream: kubernetes `pkg/serviceaccount/jwt.go` keyIDFromPublicKey.
 */
function describe(publicKey: KeyObject): VerificationKey {
  const id = createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('base64url');
  return { id, algorithm: algorithmOf(publicKey), publicKey };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): Algorithm {
  if (asymmetricKeyType === 'rsa') return RS256;
  const algorithm = CURVES.get(asymmetricKeyDetails?.namedCurve);
  if (algorithm === undefined) throw new Error('a key must be of RSA, or of the curve P-256, P-384 or P-521');
  return algorithm;
}

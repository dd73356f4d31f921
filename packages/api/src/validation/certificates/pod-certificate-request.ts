import { Buffer } from 'node:buffer';
import { constants, type KeyObject, verify } from 'node:crypto';
import { readRequestBytes } from '@binnacle/apimachinery/certificaterequests';
import { type FieldError, invalidValue, invalidWithoutValue, required, tooLong } from '@binnacle/apimachinery/status';
import {
  utf8Length,
  validateAnnotations,
  validateDns1123Subdomain,
  validateImmutable,
} from '@binnacle/apimachinery/validation';
import type { PodCertificateRequest, PodCertificateRequestSpec } from '../../generated/types/certificates-v1beta1.js';
import { typeNamed } from '../../table/index.js';
import { finalizerDomains } from '../common.js';
import { publicKeyOf } from './public-key.js';
import { signatureProblem } from './request-signature.js';
import { validateSignerName } from './signer-name.js';

// Upstream: `pkg/apis/certificates/validation` ValidatePodCertificateRequestCreate and ...Update.

const REQUEST_SPEC = 'io.k8s.api.certificates.v1beta1.PodCertificateRequestSpec';
const KEY = 'spec.pkixPublicKey';
const PROOF = 'spec.proofOfPossession';
const STUB = 'spec.stubPKCS10Request';
const MAXIMUM_BYTES = 10 * 1024;
const UID_MAXIMUM = 128;
const MINIMUM_SECONDS = 3600;
const MAXIMUM_SECONDS = 91 * 24 * 3600;
/** For signers of Kubernetes. */
const KUBERNETES_MAXIMUM_SECONDS = 24 * 3600;
const KUBERNETES_SIGNER = /^([^/]*\.)?kubernetes\.io\//;
const CURVES: ReadonlyMap<string | undefined, string> = new Map([
  ['secp224r1', 'P-224'],
  ['prime256v1', 'P-256'],
  ['secp384r1', 'P-384'],
  ['secp521r1', 'P-521'],
]);
const KEY_CURVES = ['P-256', 'P-384', 'P-521'];
const RSA_BITS = [3072, 4096];
const NO_PROOF = 'could not verify proof-of-possession signature';

type Spec = Partial<PodCertificateRequestSpec>;

export function validatePodCertificateRequest(object: PodCertificateRequest): FieldError[] {
  const spec: Spec = object.spec ?? {};
  const errors = identity(spec);
  const { signerName = '', maxExpirationSeconds } = spec;
  if (maxExpirationSeconds === undefined) return [...errors, required('spec.maxExpirationSeconds', 'must be set')];
  const maximum = KUBERNETES_SIGNER.test(signerName) ? KUBERNETES_MAXIMUM_SECONDS : MAXIMUM_SECONDS;
  if (maxExpirationSeconds < MINIMUM_SECONDS || maxExpirationSeconds > maximum) {
    const detail = `must be in the range [${MINIMUM_SECONDS}, ${maximum}]`;
    errors.push(invalidValue('spec.maxExpirationSeconds', maxExpirationSeconds, detail));
  }
  const problem = keyProblem(spec);
  return problem === undefined ? errors : [...errors, problem];
}

/** Only metadata may change. */
export function validatePodCertificateRequestUpdate(
  object: PodCertificateRequest,
  old: PodCertificateRequest,
): FieldError[] {
  return [...finalizerDomains(object), ...validateImmutable(object.spec, old.spec, 'spec', typeNamed(REQUEST_SPEC))];
}

/** The key for which the certificate is requested; undefined if it cannot be read. */
export function requestedKey(spec: Spec): KeyObject | undefined {
  if ((spec.stubPKCS10Request ?? '') === '') return publicKeyOf(decoded(spec.pkixPublicKey));
  const request = readRequestBytes(decoded(spec.stubPKCS10Request));
  return typeof request === 'string' ? undefined : publicKeyOf(request.publicKey);
}

function identity(spec: Spec): FieldError[] {
  const names = ['podName', 'serviceAccountName', 'nodeName'] as const;
  const uids = ['podUID', 'serviceAccountUID', 'nodeUID'] as const;
  const named = (field: (typeof names)[number]) =>
    validateDns1123Subdomain(spec[field] ?? '').map((detail) =>
      invalidValue(`spec.${field}`, spec[field] ?? '', detail),
    );
  const identified = (field: (typeof uids)[number]): FieldError[] => {
    const uid = spec[field] ?? '';
    if (uid === '') return [invalidValue(`spec.${field}`, uid, 'must not be empty')];
    return utf8Length(uid) > UID_MAXIMUM ? [tooLong(`spec.${field}`, UID_MAXIMUM)] : [];
  };
  return [
    ...validateSignerName(spec.signerName ?? '', 'spec.signerName'),
    ...userAnnotations(spec.unverifiedUserAnnotations),
    ...names.flatMap((field, index) => [...named(field), ...uids.slice(index, index + 1).flatMap(identified)]),
  ];
}

function userAnnotations(annotations: Readonly<Record<string, string>> | undefined): FieldError[] {
  const field = 'spec.unverifiedUserAnnotations';
  const errors = validateAnnotations(annotations, field);
  if (errors.length > 0) return errors;
  return Object.keys(annotations ?? {})
    .filter((key) => !key.includes('/'))
    .map((key) => invalidValue(field, key.toLowerCase(), 'must be a domain-prefixed key (such as "acme.io/foo")'));
}

/** The first problem of the key, of which the request proves possession. */
function keyProblem(spec: Spec): FieldError | undefined {
  const { stubPKCS10Request: stub = '', pkixPublicKey: key = '', proofOfPossession: proof = '' } = spec;
  if (stub !== '' && key === '' && proof === '') return stubProblem(decoded(stub));
  if (stub === '' && key !== '' && proof !== '') return provenKeyProblem(key, decoded(proof), spec.podUID ?? '');
  const detail = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
  return invalidWithoutValue('spec', detail);
}

function stubProblem(bytes: Buffer): FieldError | undefined {
  if (bytes.length > MAXIMUM_BYTES) return tooLong(STUB, MAXIMUM_BYTES);
  const request = readRequestBytes(bytes);
  const key = typeof request === 'string' ? undefined : publicKeyOf(request.publicKey);
  if (typeof request === 'string' || key === undefined) {
    return invalidWithoutValue(STUB, 'must be a valid PKCS#10 CSR');
  }
  const problem = strengthProblem(key, STUB, 'P256, P384, or P521');
  if (problem !== undefined) return problem;
  return isOwnSignature(request.proof) ? undefined : invalidWithoutValue(STUB, 'invalid signature');
}

function isOwnSignature(proof: Parameters<typeof signatureProblem>[0]): boolean {
  try {
    return signatureProblem(proof) === undefined;
  } catch {
    return false;
  }
}

function provenKeyProblem(text: string, proof: Buffer, podUid: string): FieldError | undefined {
  const bytes = decoded(text);
  if (bytes.length > MAXIMUM_BYTES) return tooLong(KEY, MAXIMUM_BYTES);
  if (proof.length > MAXIMUM_BYTES) return tooLong(PROOF, MAXIMUM_BYTES);
  const key = publicKeyOf(bytes);
  if (key === undefined) return invalidValue(KEY, text, 'must be a valid PKIX-serialized public key');
  const problem = strengthProblem(key, KEY, 'P256 or P384');
  if (problem !== undefined) return problem;
  return proves(key, Buffer.from(podUid), proof) ? undefined : invalidWithoutValue(PROOF, NO_PROOF);
}

/** `curves`: upstream's words. */
function strengthProblem(key: KeyObject, field: string, curves: string): FieldError | undefined {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0, namedCurve } = {} } = key;
  if (type === 'ec') {
    const curve = CURVES.get(namedCurve) ?? '';
    if (KEY_CURVES.includes(curve)) return undefined;
    return invalidValue(field, `curve ${curve}`, `elliptic public keys must use curve ${curves}`);
  }
  const bits = Math.ceil(modulusLength / 8) * 8;
  if (type !== 'rsa' || RSA_BITS.includes(bits)) return undefined;
  return invalidValue(field, `${bits}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096');
}

/** Whether `proof` is the signature of the UID of the pod. */
function proves(key: KeyObject, uid: Buffer, proof: Buffer): boolean {
  if (key.asymmetricKeyType === 'ed25519') return verify(null, uid, key, proof);
  if (key.asymmetricKeyType === 'ec') return verify('sha256', uid, key, proof);
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_AUTO: saltLength } = constants;
  return verify('sha256', uid, { key, padding, saltLength }, proof);
}

function decoded(base64: string | undefined): Buffer {
  return Buffer.from(base64 ?? '', 'base64');
}

import type { X509Certificate } from 'node:crypto';
import { type FieldError, invalidValue, tooLong } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain, validateImmutable } from '@binnacle/apimachinery/validation';
import type { ClusterTrustBundle } from '../../generated/types/certificates-v1beta1.js';
import { readCertificate } from './certificate.js';
import { type PemBlock, readPem } from '@binnacle/apimachinery/certificaterequests';
import { finalizerDomains } from '../common.js';
import { validateSignerName } from './signer-name.js';

const BUNDLE = 'spec.trustBundle';
const SIGNER = 'spec.signerName';
const MAXIMUM_BYTES = 1024 * 1024;

/**
 * Includes the name, whose form depends on the signer. Upstream: `pkg/apis/certificates/validation`
 * ValidateClusterTrustBundle.
 */
export function validateClusterTrustBundle(object: ClusterTrustBundle): FieldError[] {
  return [...identity(object), ...trustBundle(object.spec?.trustBundle ?? '')];
}

/** An unchanged bundle is not validated again. */
export function validateClusterTrustBundleUpdate(object: ClusterTrustBundle, old: ClusterTrustBundle): FieldError[] {
  const bundle = object.spec?.trustBundle ?? '';
  return [
    ...finalizerDomains(object),
    ...identity(object),
    ...(bundle === (old.spec?.trustBundle ?? '') ? [] : trustBundle(bundle)),
    ...validateImmutable(signerOf(object), signerOf(old), SIGNER),
  ];
}

function signerOf(object: ClusterTrustBundle): string {
  return object.spec?.signerName ?? '';
}

function identity(object: ClusterTrustBundle): FieldError[] {
  const signer = signerOf(object);
  const { name = '', generateName = '' } = object.metadata ?? {};
  const names = [
    { field: 'metadata.generateName', value: generateName, isPrefix: true },
    { field: 'metadata.name', value: name, isPrefix: false },
  ];
  const errors = names.flatMap(({ field, value, isPrefix }) =>
    value === '' ? [] : nameProblems(value, isPrefix, signer).map((detail) => invalidValue(field, value, detail)),
  );
  return signer === '' ? errors : [...errors, ...validateSignerName(signer, SIGNER)];
}

/** The name of a signer's bundle begins with the signer, so that RBAC can grant names per signer. */
function nameProblems(name: string, isPrefix: boolean, signer: string): string[] {
  if (signer === '') {
    return name.includes(':')
      ? ['ClusterTrustBundle without signer name must not have ":" in its name']
      : nameIsDnsSubdomain(name, isPrefix);
  }
  const prefix = `${signer.replaceAll('/', ':')}:`;
  return name.startsWith(prefix)
    ? nameIsDnsSubdomain(name.slice(prefix.length), isPrefix)
    : [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`];
}

function trustBundle(text: string): FieldError[] {
  if (Buffer.byteLength(text) > MAXIMUM_BYTES) return [tooLong(BUNDLE, MAXIMUM_BYTES)];
  const problem = (detail: string): FieldError => invalidValue(BUNDLE, '<value omitted>', detail);
  const blocks = readPem(text) ?? [];
  const errors = blocks.flatMap((block, index) => {
    const wrong = blockProblem(block);
    return wrong === undefined ? [] : [problem(`entry ${index} ${wrong}`)];
  });
  if (errors.length > 0) return errors;
  if (blocks.length === 0) return [problem('at least one trust anchor must be provided')];
  const places = new Map<string, number[]>();
  for (const [index, { bytes }] of blocks.entries()) {
    const key = bytes.toString('base64');
    places.set(key, [...(places.get(key) ?? []), index]);
  }
  return [...places.values()]
    .filter((indices) => indices.length > 1)
    .map((indices) => problem(`duplicate trust anchor (indices [${indices.join(' ')}])`));
}

function blockProblem({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`;
  if (hasHeaders) return 'has PEM block headers';
  const certificate: X509Certificate | undefined = readCertificate(bytes);
  if (certificate === undefined) return 'does not parse as X.509';
  return certificate.ca ? undefined : 'does not have the CA bit set';
}

import { Buffer } from 'node:buffer';
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '@binnacle/apimachinery/status';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestSpec,
} from '../../generated/types/certificates-v1.js';
import { each, finalizerDomains, list, wholeMetadata } from '../common.js';
import { readCertificate } from './certificate.js';
import { readPem } from '@binnacle/apimachinery/certificaterequests';
import { certificateRequestProblem } from './certificate-request.js';
import { jsonDifference } from '../difference.js';
import { validateSignerName } from './signer-name.js';

// Upstream: `pkg/apis/certificates/validation`.

const MINIMUM_SECONDS = 600;
const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown';
const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
/** Conditions whose status can only be True. */
const FINAL_CONDITIONS = ['Approved', 'Denied', 'Failed'];
const APPROVAL_CONDITIONS = ['Approved', 'Denied'];
const CONDITION_STATUSES = ['False', 'True', 'Unknown'];

export function validateCertificateSigningRequest(object: CertificateSigningRequest): FieldError[] {
  return request(object, undefined);
}

/** Tolerates the flaws of the stored object. */
function request(object: CertificateSigningRequest, old: CertificateSigningRequest | undefined): FieldError[] {
  const spec: Partial<CertificateSigningRequestSpec> = object.spec ?? {};
  const { usages, signerName = '', expirationSeconds } = spec;
  const oldUsages = list(old?.spec?.usages);
  const problem = certificateRequestProblem(spec.request ?? '');
  return [
    ...(problem === undefined ? [] : [invalidValue('spec.request', spec.request ?? '', problem)]),
    ...(list(usages).length === 0 ? [required('spec.usages', '')] : []),
    ...(oldUsages.some((usage) => !USAGES.includes(usage)) ? [] : unknownUsages(usages, 'spec.usages')),
    ...(new Set(oldUsages).size < oldUsages.length ? [] : repeatedUsages(usages, 'spec.usages')),
    ...(signerName === LEGACY_SIGNER && old?.spec?.signerName !== LEGACY_SIGNER
      ? [invalidValue('spec.signerName', signerName, 'the legacy signerName is not allowed via this API version')]
      : validateSignerName(signerName, 'spec.signerName')),
    ...(expirationSeconds !== undefined && expirationSeconds < MINIMUM_SECONDS
      ? [
          invalidValue(
            'spec.expirationSeconds',
            expirationSeconds,
            `may not specify a duration less than ${MINIMUM_SECONDS} seconds (10 minutes)`,
          ),
        ]
      : []),
    ...conditions(object.status?.conditions, list(old?.status?.conditions), 'status.conditions'),
    ...certificate(object.status?.certificate ?? '', old),
  ];
}

function unknownUsages(usages: readonly string[] | undefined, field: string): FieldError[] {
  return each(usages, field, (usage, path) => (USAGES.includes(usage) ? [] : [notSupported(path, usage, USAGES)]));
}

function repeatedUsages(usages: readonly string[] | undefined, field: string): FieldError[] {
  const seen = new Set<string>();
  return each(usages, field, (usage, path) => {
    if (seen.has(usage)) return [duplicate(path, usage)];
    seen.add(usage);
    return [];
  });
}

type Conditions = readonly CertificateSigningRequestCondition[];

function conditions(given: Conditions | undefined, old: Conditions, field: string): FieldError[] {
  const oldTypes = old.map(({ type }) => type ?? '');
  const mayContradict = APPROVAL_CONDITIONS.every((type) => oldTypes.includes(type));
  const mayRepeat = new Set(oldTypes).size < oldTypes.length;
  const seen = new Set<string>();
  return each(given, field, (condition, path) => {
    const { type = '', status = '' } = condition as Partial<CertificateSigningRequestCondition>;
    const errors = type === '' && !oldTypes.includes('') ? [required(`${path}.type`, '')] : [];
    const allowed = FINAL_CONDITIONS.includes(type) ? ['True'] : CONDITION_STATUSES;
    if (status === '') errors.push(required(`${path}.status`, ''));
    else if (!allowed.includes(status)) errors.push(notSupported(`${path}.status`, status, allowed));
    const opposite = APPROVAL_CONDITIONS.includes(type) && APPROVAL_CONDITIONS.find((other) => other !== type);
    if (opposite && seen.has(opposite) && !mayContradict) {
      errors.push(invalidValue(field, type, 'Approved and Denied conditions are mutually exclusive'));
    }
    if (seen.has(type) && !mayRepeat) errors.push(duplicate(`${path}.type`, type));
    seen.add(type);
    return errors;
  });
}

function certificate(text: string, old: CertificateSigningRequest | undefined): FieldError[] {
  const before = old?.status?.certificate ?? '';
  if (old !== undefined && (text === before || certificateProblem(before) !== undefined)) return [];
  const problem = certificateProblem(text);
  return problem === undefined ? [] : [invalidValue('status.certificate', '<certificate data>', problem)];
}

function certificateProblem(text: string): string | undefined {
  if (text === '') return undefined;
  const blocks = readPem(Buffer.from(text, 'base64').toString('latin1')) ?? [];
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found "${type}"`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    if (readCertificate(bytes) === undefined) return 'x509: malformed certificate';
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

/** What an update may change: /approval the conditions, /status the certificate, the object itself neither. */
interface Allowance {
  readonly approval: boolean;
  readonly certificate: boolean;
}

function update(object: CertificateSigningRequest, old: CertificateSigningRequest, allowed: Allowance): FieldError[] {
  const of = (request: CertificateSigningRequest, type: string): Conditions =>
    list(request.status?.conditions).filter((condition) => condition.type === type);
  const errors = [...wholeMetadata(object, false, () => []), ...request(object, old)];
  for (const type of FINAL_CONDITIONS) {
    if (of(object, type).length >= of(old, type).length) continue;
    errors.push(forbiddenField('status.conditions', `updates may not remove a condition of type "${type}"`));
  }
  for (const type of allowed.approval ? [] : APPROVAL_CONDITIONS) {
    const before = of(old, type);
    const now = of(object, type);
    if (now.length > before.length) {
      errors.push(forbiddenField('status.conditions', `updates may not add a condition of type "${type}"`));
    } else if (now.length === before.length && !semanticEqual(before, now)) {
      const detail = `updates may not modify a condition of type "${type}"\n${jsonDifference(before, now)}`;
      errors.push(forbiddenField('status.conditions', detail));
    }
  }
  const issued = old.status?.certificate ?? '';
  if ((object.status?.certificate ?? '') !== issued) {
    if (!allowed.certificate) {
      errors.push(forbiddenField('status.certificate', 'updates may not set certificate content'));
    } else if (issued !== '') {
      errors.push(forbiddenField('status.certificate', 'updates may not modify existing certificate content'));
    }
  }
  return [...errors, ...finalizerDomains(object)];
}

type UpdateRule = (object: CertificateSigningRequest, old: CertificateSigningRequest) => FieldError[];

export const validateCertificateSigningRequestUpdate: UpdateRule = (object, old) =>
  update(object, old, { approval: false, certificate: false });

export const validateCertificateSigningRequestStatusUpdate: UpdateRule = (object, old) =>
  update(object, old, { approval: false, certificate: true });

export const validateCertificateSigningRequestApprovalUpdate: UpdateRule = (object, old) =>
  update(object, old, { approval: true, certificate: false });

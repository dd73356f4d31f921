import type { X509Certificate } from 'node:crypto';
import { readPem } from '@binnacle/apimachinery/certificaterequests';
import {
  type FieldError,
  invalidValue,
  invalidWithoutValue,
  notSupported,
  required,
  tooLong,
} from '@binnacle/apimachinery/status';
import { semanticEqual, utf8Length, validateConditions } from '@binnacle/apimachinery/validation';
import type { PodCertificateRequest, PodCertificateRequestStatus } from '../../generated/types/certificates-v1beta1.js';
import { each, finalizerDomains, list } from '../common.js';
import { readCertificate } from './certificate.js';
import { requestedKey } from './pod-certificate-request.js';

// Upstream: `pkg/apis/certificates/validation` ValidatePodCertificateRequestStatusUpdate, without the rule about the time of the
// server.

/** A request ends with one of these conditions. */
const TYPES = ['Issued', 'Denied', 'Failed'];
const CHAIN = 'status.certificateChain';
const CHAIN_MAXIMUM = 100 * 1024;
const MINUTE_MS = 60_000;
const MARGIN_MS = 10 * MINUTE_MS;
const SHORTEST_MS = 60 * MINUTE_MS;
const NANOSECONDS = 1e6;
const MAIL_ADDRESS = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+$/;

type Status = PodCertificateRequestStatus;

export function validatePodCertificateRequestStatusUpdate(
  object: PodCertificateRequest,
  old: PodCertificateRequest,
): FieldError[] {
  const status = object.status ?? {};
  const errors = [...finalizerDomains(object), ...conditions(status)];
  if (errors.length > 0) return errors;
  const fixed = (detail: string): FieldError[] =>
    isSamePodCertificateStatus(status, old.status) ? [] : [invalidWithoutValue('status', detail)];
  if (endOf(old.status) !== undefined) {
    return fixed('immutable after PodCertificateRequest is issued, denied, or failed');
  }
  const end = endOf(status);
  if (end === undefined) return fixed('status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
  if (end === 'Issued') return issued(object, status);
  const { conditions: _, ...others } = status;
  if (Object.values(others).every((value) => (value ?? '') === '')) return [];
  const detail = 'non-condition status fields must be empty when denying or failing the PodCertificateRequest';
  return [invalidWithoutValue('status', detail)];
}

/** A stored condition has a message, which may be empty; one in a request may lack it. */
export function isSamePodCertificateStatus(a: Status | undefined, b: Status | undefined): boolean {
  const comparable = (status: Status | undefined) => ({
    ...status,
    conditions: list(status?.conditions).map((condition) => ({ ...condition, message: condition.message ?? '' })),
  });
  return semanticEqual(comparable(a), comparable(b));
}

function conditions({ conditions: given }: Status): FieldError[] {
  let known = 0;
  const errors = each(given, 'status.conditions', ({ type, status }, path) => {
    if (!TYPES.includes(type)) return [notSupported(`${path}.type`, type, TYPES.toSorted())];
    known += 1;
    const detail = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
    return [
      ...(known > 1 ? [invalidValue(`${path}.type`, type, detail)] : []),
      ...(status === 'True' ? [] : [notSupported(`${path}.status`, status, ['True'])]),
    ];
  });
  return [...errors, ...validateConditions(given as Parameters<typeof validateConditions>[0], 'status.conditions')];
}

/** The condition with which the request has ended. */
function endOf(status: Status | undefined): string | undefined {
  return list(status?.conditions).find(({ type, status: value }) => TYPES.includes(type) && value === 'True')?.type;
}

function issued(object: PodCertificateRequest, status: Status): FieldError[] {
  const chain = status.certificateChain ?? '';
  if (utf8Length(chain) > CHAIN_MAXIMUM) return [tooLong(CHAIN, CHAIN_MAXIMUM)];
  const leaf = leafOf(chain);
  if (typeof leaf === 'string') return [invalidValue(CHAIN, chain, leaf)];
  const errors = names(leaf);
  if (errors.length > 0) return errors;
  const key = requestedKey(object.spec ?? {});
  if (key === undefined || !leaf.publicKey.equals(key)) {
    return [invalidValue(CHAIN, chain, 'leaf certificate was not issued to the requested public key')];
  }
  return times(status, leaf, object.spec?.maxExpirationSeconds ?? 0);
}

/** The first certificate of the chain, or what is wrong with the chain. */
function leafOf(chain: string): X509Certificate | string {
  const blocks = readPem(chain) ?? [];
  if (blocks.length === 0) return 'issued certificate chain must contain at least one certificate';
  if (blocks.some(({ type }) => type !== 'CERTIFICATE')) {
    return 'issued certificate chain must consist entirely of CERTIFICATE PEM blocks';
  }
  const [leaf, ...others] = blocks.map(({ bytes }) => readCertificate(bytes));
  if (leaf === undefined) return 'leaf certificate does not parse as valid X.509';
  return others.includes(undefined) ? 'intermediate certificate does not parse as valid X.509' : leaf;
}

const ALTERNATIVE_NAME = /(?:^|, )(DNS|email):("(?:[^"\\]|\\.)*"|[^,]*)/g;

function names({ subjectAltName = '' }: X509Certificate): FieldError[] {
  return Array.from(subjectAltName.matchAll(ALTERNATIVE_NAME), ([, type, shown = '']) => {
    const name = shown.startsWith('"') ? String(JSON.parse(shown)) : shown;
    const problem = type === 'DNS' ? hostProblem(name) : mailProblem(name);
    return problem === undefined ? [] : [invalidValue(CHAIN, name, problem)];
  }).flat();
}

function hostProblem(name: string): string | undefined {
  if (name === '') return 'leaf certificate should not contain empty DNSName';
  if (name.includes('..')) return "leaf certificate's DNSName should not contain '..'";
  const isBounded = name.startsWith('.') || name.endsWith('.');
  return isBounded ? "leaf certificate's DNSName should not start or end with '.'" : undefined;
}

function mailProblem(name: string): string | undefined {
  return MAIL_ADDRESS.test(name) ? undefined : 'leaf certificate should not contain invalid EmailAddress';
}

function times(status: Status, leaf: X509Certificate, longestSeconds: number): FieldError[] {
  const consistent = 'must be present and consistent with the issued certificate';
  const { notBefore, notAfter, beginRefreshAt } = status;
  if (notBefore === undefined || notAfter === undefined || beginRefreshAt === undefined) {
    const refresh = 'must be present and in the range [notbefore+10min, notafter-10min]';
    return [
      ...(notBefore === undefined ? [required('status.notBefore', consistent)] : []),
      ...(notAfter === undefined ? [required('status.notAfter', consistent)] : []),
      ...(beginRefreshAt === undefined ? [required('status.beginRefreshAt', refresh)] : []),
    ];
  }
  const [begin, end] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  const encoded = (name: string): string => `must be set to the ${name} time encoded in the leaf certificate`;
  if (Date.parse(notBefore) !== begin) return [invalidValue('status.notBefore', notBefore, encoded('NotBefore'))];
  if (Date.parse(notAfter) !== end) return [invalidValue('status.notAfter', notAfter, encoded('NotAfter'))];
  const lifetime = (detail: string) => [invalidValue(CHAIN, (end - begin) * NANOSECONDS, detail)];
  if (end - begin < SHORTEST_MS) return lifetime('leaf certificate lifetime must be >= 1 hour');
  if (end - begin > longestSeconds * 1000) {
    return lifetime(`leaf certificate lifetime must be <= spec.maxExpirationSeconds (${longestSeconds})`);
  }
  const refresh = (detail: string) => [invalidValue('status.beginRefreshAt', beginRefreshAt, detail)];
  const at = Date.parse(beginRefreshAt);
  if (at < begin + MARGIN_MS) return refresh('must be at least 10 minutes after status.notBefore');
  return at > end - MARGIN_MS ? refresh('must be at least 10 minutes before status.notAfter') : [];
}

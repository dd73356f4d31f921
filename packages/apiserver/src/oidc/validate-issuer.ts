import { X509Certificate } from 'node:crypto';
import { certificateBlocks } from '@binnacle/apimachinery/certificaterequests';
import { withoutEnding } from '@binnacle/apimachinery/json';
import { duplicate, type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import type { Issuer } from './configuration.js';

const MATCH_ANY = 'MatchAny';

/** Upstream: apiserver `pkg/apis/apiserver/validation` validateIssuer. */
export function validateIssuer(issuer: Issuer, path: string, disallowed: readonly string[]): FieldError[] {
  const { url = '', discoveryURL = '', certificateAuthority = '', egressSelectorType = '' } = issuer;
  return [
    ...(url === '' ? [required(`${path}.url`, '')] : validateUrl(url, `${path}.url`, disallowed)),
    ...(discoveryURL === '' ? [] : validateDiscoveryUrl(url, discoveryURL, `${path}.discoveryURL`)),
    ...validateAudiences(issuer, path),
    ...(certificateAuthority === '' ? [] : validateAuthority(certificateAuthority, `${path}.certificateAuthority`)),
    ...(egressSelectorType === ''
      ? []
      : [invalidValue(`${path}.egressSelectorType`, egressSelectorType, 'egress selectors are not supported')]),
  ];
}

function validateDiscoveryUrl(url: string, discoveryUrl: string, path: string): FieldError[] {
  const plain = (text: string): string => withoutEnding(text, '/');
  const isSame = url !== '' && plain(url) === plain(discoveryUrl);
  const errors = isSame ? [invalidValue(path, discoveryUrl, 'discoveryURL must be different from URL')] : [];
  return [...errors, ...validateUrl(discoveryUrl, path, [])];
}

function validateUrl(text: string, path: string, disallowed: readonly string[]): FieldError[] {
  const fault = (detail: string): FieldError => invalidValue(path, text, detail);
  const errors: FieldError[] = [];
  if (disallowed.includes(text)) {
    errors.push(fault(`URL must not overlap with disallowed issuers: [${disallowed.toSorted().join(' ')}]`));
  }
  if (!URL.canParse(text)) return [...errors, fault(text.includes('://') ? 'invalid URL' : 'URL scheme must be https')];
  const url = new URL(text);
  if (url.protocol !== 'https:') errors.push(fault('URL scheme must be https'));
  if (url.username !== '' || url.password !== '') errors.push(fault('URL must not contain a username or password'));
  if (url.search !== '') errors.push(fault('URL must not contain a query'));
  if (url.hash !== '') errors.push(fault('URL must not contain a fragment'));
  return errors;
}

function validateAudiences({ audiences = [], audienceMatchPolicy: policy = '' }: Issuer, path: string): FieldError[] {
  const field = `${path}.audiences`;
  if (audiences.length === 0) return [required(field, `at least one ${field} is required`)];
  const errors = audiences.flatMap((audience, index) => [
    ...(audience === '' ? [required(`${field}[${index}]`, '')] : []),
    ...(audiences.indexOf(audience) < index ? [duplicate(`${field}[${index}]`, audience)] : []),
  ]);
  if (policy === MATCH_ANY || (policy === '' && audiences.length === 1)) return errors;
  const detail =
    audiences.length > 1
      ? 'audienceMatchPolicy must be MatchAny for multiple audiences'
      : 'audienceMatchPolicy must be empty or MatchAny for single audience';
  return [...errors, invalidValue(`${path}.audienceMatchPolicy`, policy, detail)];
}

function validateAuthority(pem: string, path: string): FieldError[] {
  const blocks = certificateBlocks(pem);
  const isValid = (block: string): boolean => {
    try {
      return new X509Certificate(block).raw.length > 0;
    } catch {
      return false;
    }
  };
  if (blocks.length > 0 && blocks.every(isValid)) return [];
  return [invalidValue(path, '<omitted>', 'data does not contain any valid RSA or ECDSA certificates')];
}

import { duplicate, type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import type { CertificateSigningRequest, CertificateSigningRequestSpec } from '../generated/types/certificates-v1.js';
import { each, list, requireText } from './common.js';

/** Upstream: `ValidateCertificateSigningRequest`. Whether the request is well signed is for its signer to find out. */
const MINIMUM_SECONDS = 600;
const requestBlock = /-----BEGIN CERTIFICATE REQUEST-----\r?\n[A-Za-z0-9+/=\r\n]+-----END CERTIFICATE REQUEST-----/;

export function validateCertificateSigningRequest(object: CertificateSigningRequest): FieldError[] {
  const given: Partial<CertificateSigningRequestSpec> | undefined = object.spec;
  const request = given?.request ?? '';
  const { usages, signerName, expirationSeconds } = given ?? {};
  const seen = new Set<string>();
  return [
    ...(requestBlock.test(decoded(request))
      ? []
      : [invalidValue('spec.request', request, 'PEM block type must be CERTIFICATE REQUEST')]),
    ...(list(usages).length === 0 ? [required('spec.usages', 'usages are required')] : []),
    ...each(usages, 'spec.usages', (usage, path) => {
      const errors = seen.has(usage) ? [duplicate(path, usage)] : [];
      seen.add(usage);
      return errors;
    }),
    ...requireText(signerName, 'spec.signerName'),
    ...(expirationSeconds !== undefined && expirationSeconds < MINIMUM_SECONDS
      ? [
          invalidValue(
            'spec.expirationSeconds',
            expirationSeconds,
            `may not specify a duration less than ${MINIMUM_SECONDS} seconds (10 minutes)`,
          ),
        ]
      : []),
  ];
}

/** What is not base64 holds no request. */
function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

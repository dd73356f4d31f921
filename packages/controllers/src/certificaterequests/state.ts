import type { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';

function has({ status }: CertificateSigningRequest, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type) === true;
}

/** Whether someone has approved or denied the request. */
export function isDecided(request: CertificateSigningRequest): boolean {
  return has(request, 'Approved') || has(request, 'Denied');
}

export function isApproved(request: CertificateSigningRequest): boolean {
  return has(request, 'Approved') && !has(request, 'Denied');
}

export function isFailed({ status }: CertificateSigningRequest): boolean {
  const failed = status?.conditions?.find(({ type }) => type === 'Failed');
  return failed !== undefined && (failed.status === '' || failed.status === 'True');
}

/** Whether the request has its certificate. */
export function isIssued({ status }: CertificateSigningRequest): boolean {
  return (status?.certificate ?? '') !== '';
}

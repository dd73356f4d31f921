import { MALFORMED, readCertificateRequest } from '@binnacle/apimachinery/certificaterequests';
import { signatureProblem } from './request-signature.js';

/**
 * Why a request must not be stored: it cannot be read, or its signature does not prove possession of the key. Upstream:
 * `validateCSR` of `pkg/apis/certificates/validation`.
 */
export function certificateRequestProblem(request: string): string | undefined {
  const read = readCertificateRequest(request);
  if (typeof read === 'string') return read;
  try {
    return signatureProblem(read.proof);
  } catch {
    return MALFORMED;
  }
}

import type { StartOptions } from './options.js';
import { usageError } from '../start-error.js';

const HOUR_MS = 60 * 60 * 1000;
const MAXIMUM_TOKEN_MS = 2 ** 32 * 1000;

/** Upstream: kubernetes `pkg/kubeapiserver/options/authentication.go`. */
export function checkServiceAccounts({
  serviceAccountIssuers = [],
  serviceAccountJwksUri,
  serviceAccountMaxTokenExpirationMs: maximum = 0,
  apiAudiences,
}: StartOptions): void {
  for (const issuer of serviceAccountIssuers) {
    if (issuer === '') throw usageError('--service-account-issuer is empty');
    if (issuer.includes(':') && !URL.canParse(issuer)) {
      throw usageError(`--service-account-issuer ${JSON.stringify(issuer)} contains a colon but is not a URL`);
    }
  }
  if (new Set(serviceAccountIssuers).size < serviceAccountIssuers.length) {
    throw usageError('--service-account-issuer is given twice with the same value');
  }
  if (serviceAccountJwksUri !== undefined && !serviceAccountJwksUri.startsWith('https:')) {
    throw usageError(`--service-account-jwks-uri ${JSON.stringify(serviceAccountJwksUri)} is not an https URL`);
  }
  if (maximum !== 0 && !(maximum >= HOUR_MS && maximum <= MAXIMUM_TOKEN_MS)) {
    throw usageError('--service-account-max-token-expiration must be between 1 hour and 2^32 seconds; 0 sets no limit');
  }
  if (apiAudiences?.split(',').some((audience) => audience.trim() === '') === true) {
    throw usageError(`--api-audiences ${JSON.stringify(apiAudiences)} holds an empty audience`);
  }
}

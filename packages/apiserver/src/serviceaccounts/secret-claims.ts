import type { JsonObject } from '@binnacle/apimachinery/json';
import { readPublicClaims, readText } from './claim-readers.js';

const PREFIX = 'kubernetes.io/serviceaccount/';

/**
 * The claims of a token that is stored in a Secret. It does not expire and usually names no audience.
 * Upstream: kubernetes `pkg/serviceaccount/legacy.go`.
 */
export interface SecretTokenClaims {
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly namespace: string;
  readonly secretName: string;
  readonly accountName: string;
  readonly accountUid: string;
}

/** Missing claims are ''. Throws as {@link readPublicClaims} does. */
export function decodeSecretClaims(payload: JsonObject): SecretTokenClaims {
  const { subject, audiences } = readPublicClaims(payload);
  return {
    subject,
    audiences,
    namespace: readText(payload, `${PREFIX}namespace`),
    secretName: readText(payload, `${PREFIX}secret.name`),
    accountName: readText(payload, `${PREFIX}service-account.name`),
    accountUid: readText(payload, `${PREFIX}service-account.uid`),
  };
}

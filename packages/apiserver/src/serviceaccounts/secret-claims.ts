import type { JsonObject } from '@binnacle/apimachinery/json';

const PREFIX = 'kubernetes.io/serviceaccount/';

/** What a token says that is kept in a Secret: nothing of time or audience. Upstream: kubernetes `pkg/serviceaccount/legacy.go`. */
export interface SecretTokenClaims {
  readonly subject: string;
  readonly namespace: string;
  readonly secretName: string;
  readonly accountName: string;
  readonly accountUid: string;
}

/** What is missing is ''. Undefined for what is not of this shape. */
export function decodeSecretClaims(payload: JsonObject): SecretTokenClaims | undefined {
  const [subject, namespace, secretName, accountName, accountUid] = [
    'sub',
    `${PREFIX}namespace`,
    `${PREFIX}secret.name`,
    `${PREFIX}service-account.name`,
    `${PREFIX}service-account.uid`,
  ].map((key) => (Object.hasOwn(payload, key) ? payload[key] : ''));
  if (
    typeof subject !== 'string' ||
    typeof namespace !== 'string' ||
    typeof secretName !== 'string' ||
    typeof accountName !== 'string' ||
    typeof accountUid !== 'string'
  ) {
    return undefined;
  }
  return { subject, namespace, secretName, accountName, accountUid };
}

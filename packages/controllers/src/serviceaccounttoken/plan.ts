import type { JsonObject } from '@binnacle/apimachinery/json';
import type { Secret, ServiceAccount } from '@binnacle/client/kinds/core/v1';

const TOKEN_TYPE = 'kubernetes.io/service-account-token';
const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';

/** The service account that a Secret is for. Without a uid any account of that name is meant. */
export interface AccountReference {
  readonly name: string;
  readonly uid: string;
}

/** Undefined for a Secret of another type, or one that names no account. */
export function accountOf({ type, metadata }: Secret): AccountReference | undefined {
  const { [NAME]: name = '', [UID]: uid = '' } = metadata.annotations ?? {};
  return type !== TOKEN_TYPE || name === '' ? undefined : { name, uid };
}

/** Whether the account is the one that a Secret names. */
export function isReferenced(
  reference: AccountReference,
  account: ServiceAccount | undefined,
): account is ServiceAccount {
  return account !== undefined && (reference.uid === '' || reference.uid === account.metadata.uid);
}

/** The parts that a Secret lacks, and whether one of them is the token. */
export interface MissingParts {
  /** Base64. */
  readonly data: Readonly<Record<string, string>>;
  readonly token: boolean;
}

/** Undefined if nothing is missing. `authority` is PEM; an empty one is not written. */
export function missingParts({ data = {}, metadata }: Secret, authority: string): MissingParts | undefined {
  const ca = base64(authority);
  const missing = {
    ...(ca !== '' && data['ca.crt'] !== ca ? { 'ca.crt': ca } : {}),
    ...((data['namespace'] ?? '') === '' ? { namespace: base64(metadata.namespace ?? '') } : {}),
  };
  const token = (data['token'] ?? '') === '';
  return token || Object.keys(missing).length > 0 ? { data: missing, token } : undefined;
}

/** The Secret with these parts. */
export function filled(secret: Secret, parts: Readonly<Record<string, string>>, { metadata }: ServiceAccount): Secret {
  const annotations = { ...secret.metadata.annotations, [NAME]: metadata.name ?? '', [UID]: metadata.uid ?? '' };
  return { ...secret, metadata: { ...secret.metadata, annotations }, data: { ...secret.data, ...parts } };
}

/** The claims of a token that is valid as long as its Secret exists. Upstream: `LegacyClaims`. */
export function claimsFor(secret: Secret, { metadata }: ServiceAccount): JsonObject {
  const { namespace = '', name = '', uid = '' } = metadata;
  return {
    iss: 'kubernetes/serviceaccount',
    'kubernetes.io/serviceaccount/namespace': namespace,
    'kubernetes.io/serviceaccount/secret.name': secret.metadata.name ?? '',
    'kubernetes.io/serviceaccount/service-account.name': name,
    'kubernetes.io/serviceaccount/service-account.uid': uid,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

import type { Secret } from '@binnacle/client/kinds/core/v1';
import { timeOf } from '../common/index.js';

/** Tokens with which nodes and users join a cluster. They are Secrets of this type and namespace. */
const BOOTSTRAP_TYPE = 'bootstrap.kubernetes.io/token';
export const TOKEN_NAMESPACE = 'kube-system';

export interface SigningToken {
  readonly id: string;
  readonly secret: string;
}

/** When a token expires, in milliseconds since the epoch; Infinity if never. A malformed time counts as expired. */
export function expiryOf(secret: Secret): number {
  const text = textOf(secret, 'expiration');
  return text === '' ? Infinity : (timeOf(text) ?? -Infinity);
}

/** The token, if it is valid and may sign. Its Secret has the name `bootstrap-token-ID`. */
export function signingToken(secret: Secret, now: number): SigningToken | undefined {
  const [, named] = /^bootstrap-token-([a-z0-9]{6})$/.exec(secret.metadata.name ?? '') ?? [];
  const id = textOf(secret, 'token-id');
  const token = textOf(secret, 'token-secret');
  if (named === undefined || id !== named || token === '') return undefined;
  if (expiryOf(secret) <= now || textOf(secret, 'usage-bootstrap-signing') !== 'true') return undefined;
  return { id, secret: token };
}

function textOf({ data = {} }: Secret, key: string): string {
  return Buffer.from(data[key] ?? '', 'base64').toString();
}

export function isBootstrapToken({ type, metadata }: Secret): boolean {
  return type === BOOTSTRAP_TYPE && metadata.namespace === TOKEN_NAMESPACE;
}

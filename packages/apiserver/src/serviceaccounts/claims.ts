import type { JsonObject } from '@binnacle/apimachinery/json';
import { type PublicClaims, readDate, readObject, readPublicClaims, readText } from './claim-readers.js';

const KUBERNETES = 'kubernetes.io';

/** The name and uid of an object when the token was issued. */
export interface BoundObject {
  readonly name: string;
  /** '' for the node of a deleted pod. */
  readonly uid: string;
}

/**
 * The claims of a bound token. The id identifies the token without revealing it.
 * Upstream: kubernetes `pkg/serviceaccount/claims.go`.
 */
export interface TokenClaims extends PublicClaims {
  readonly namespace: string;
  readonly serviceAccount: BoundObject;
  /**
   * The object to which the token is bound. A token bound to a pod also names the node, but does not expire with it.
   */
  readonly pod?: BoundObject | undefined;
  readonly secret?: BoundObject | undefined;
  readonly node?: BoundObject | undefined;
  /** When a client with an extended token should have requested a new one. */
  readonly warnAfter?: number | undefined;
}

/** Keys are sorted, as in upstream's tokens. */
export function encodeClaims(claims: TokenClaims): JsonObject {
  const { node, pod, secret, serviceAccount, warnAfter } = claims;
  return {
    aud: [...claims.audiences],
    ...(claims.expires === undefined ? {} : { exp: claims.expires }),
    ...(claims.issuedAt === undefined ? {} : { iat: claims.issuedAt }),
    iss: claims.issuer,
    jti: claims.id,
    [KUBERNETES]: {
      namespace: claims.namespace,
      ...(node === undefined ? {} : { node: encodeObject(node) }),
      ...(pod === undefined ? {} : { pod: encodeObject(pod) }),
      ...(secret === undefined ? {} : { secret: encodeObject(secret) }),
      serviceaccount: encodeObject(serviceAccount),
      ...(warnAfter === undefined ? {} : { warnafter: warnAfter }),
    },
    ...(claims.notBefore === undefined ? {} : { nbf: claims.notBefore }),
    sub: claims.subject,
  };
}

/** Throws as {@link readPublicClaims} does. */
export function decodeClaims(payload: JsonObject): TokenClaims {
  const own = readObject(payload, KUBERNETES, 'serviceaccount.kubernetes') ?? {};
  return {
    ...readPublicClaims(payload),
    namespace: readText(own, 'namespace'),
    serviceAccount: decodeObject(own, 'serviceaccount') ?? { name: '', uid: '' },
    pod: decodeObject(own, 'pod'),
    secret: decodeObject(own, 'secret'),
    node: decodeObject(own, 'node'),
    warnAfter: readDate(own, 'warnafter'),
  };
}

function encodeObject({ name, uid }: BoundObject): JsonObject {
  return { name, ...(uid === '' ? {} : { uid }) };
}

function decodeObject(own: JsonObject, key: string): BoundObject | undefined {
  const value = readObject(own, key, 'serviceaccount.ref');
  return value === undefined ? undefined : { name: readText(value, 'name'), uid: readText(value, 'uid') };
}

import type { JsonObject } from '@binnacle/apimachinery/json';
import { type PublicClaims, readDate, readObject, readPublicClaims, readText } from './claim-readers.js';

const KUBERNETES = 'kubernetes.io';

/** An object as it was when the token was made. */
export interface BoundObject {
  readonly name: string;
  /** '' for the node of a pod that has gone. */
  readonly uid: string;
}

/** What a token says. Its id names it where it may not be shown. Upstream: kubernetes `pkg/serviceaccount/claims.go`. */
export interface TokenClaims extends PublicClaims {
  readonly namespace: string;
  readonly serviceAccount: BoundObject;
  /** What the token ends with. A token bound to a pod names the node as well, which it does not end with. */
  readonly pod?: BoundObject | undefined;
  readonly secret?: BoundObject | undefined;
  readonly node?: BoundObject | undefined;
  /** When a client that holds a token of extended life should have got another one. */
  readonly warnAfter?: number | undefined;
}

/** Keys are sorted, as upstream's are. */
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

/** Throws as {@link readPublicClaims} does. What only a client heeds is checked and left out. */
export function decodeClaims(payload: JsonObject): TokenClaims {
  const own = readObject(payload, KUBERNETES, 'serviceaccount.kubernetes') ?? {};
  readDate(own, 'warnafter');
  return {
    ...readPublicClaims(payload),
    namespace: readText(own, 'namespace'),
    serviceAccount: decodeObject(own, 'serviceaccount') ?? { name: '', uid: '' },
    pod: decodeObject(own, 'pod'),
    secret: decodeObject(own, 'secret'),
    node: decodeObject(own, 'node'),
  };
}

function encodeObject({ name, uid }: BoundObject): JsonObject {
  return { name, ...(uid === '' ? {} : { uid }) };
}

function decodeObject(own: JsonObject, key: string): BoundObject | undefined {
  const value = readObject(own, key, 'serviceaccount.ref');
  return value === undefined ? undefined : { name: readText(value, 'name'), uid: readText(value, 'uid') };
}

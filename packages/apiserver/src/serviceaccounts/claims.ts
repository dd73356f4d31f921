import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';

const KUBERNETES = 'kubernetes.io';

/** An object as it was when the token was made. */
export interface BoundObject {
  readonly name: string;
  /** '' for the node of a pod that has gone. */
  readonly uid: string;
}

/** What a token says. Times are whole seconds since 1970. Upstream: kubernetes `pkg/serviceaccount/claims.go`. */
export interface TokenClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly expires: number | undefined;
  readonly issuedAt: number | undefined;
  readonly notBefore: number | undefined;
  /** Names the token where it may not be shown. */
  readonly id: string;
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

/** Undefined for what is not of this shape. What only a client heeds is left out. */
export function decodeClaims(payload: JsonObject): TokenClaims | undefined {
  const own = getOwn(payload, KUBERNETES);
  if (!isObject(own)) return undefined;
  const serviceAccount = decodeObject(own.serviceaccount);
  const audiences = typeof payload.aud === 'string' ? [payload.aud] : (payload.aud ?? []);
  if (serviceAccount === undefined || !isTexts(audiences)) return undefined;
  const times = [payload.exp, payload.iat, payload.nbf];
  if (times.some((time) => time !== undefined && time !== null && typeof time !== 'number')) return undefined;
  const bound = [own.pod, own.secret, own.node];
  if (bound.some((each) => each !== undefined && each !== null && decodeObject(each) === undefined)) return undefined;
  return {
    issuer: textOf(payload.iss),
    subject: textOf(payload.sub),
    audiences,
    expires: timeOf(payload.exp),
    issuedAt: timeOf(payload.iat),
    notBefore: timeOf(payload.nbf),
    id: textOf(payload.jti),
    namespace: textOf(own.namespace),
    serviceAccount,
    pod: decodeObject(own.pod),
    secret: decodeObject(own.secret),
    node: decodeObject(own.node),
  };
}

function encodeObject({ name, uid }: BoundObject): JsonObject {
  return { name, ...(uid === '' ? {} : { uid }) };
}

function decodeObject(value: JsonValue | undefined): BoundObject | undefined {
  return isObject(value) ? { name: textOf(value.name), uid: textOf(value.uid) } : undefined;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function timeOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function isTexts(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

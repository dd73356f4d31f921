import { timingSafeEqual } from 'node:crypto';
import { getOwn, isObject } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { parseTime, TimeParseError } from '@binnacle/apimachinery/time';
import type { Authenticator, UserInfo } from './user.js';

export interface BootstrapTokenOptions {
  /** Reads the current Secret of this name in `kube-system`; undefined: there is none. */
  readonly secret: (name: string) => Promise<Readonly<KubernetesObject> | undefined>;
  /** Milliseconds. */
  readonly now: () => number;
}

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const SECRET_TYPE = 'bootstrap.kubernetes.io/token';
const GROUP = 'system:bootstrappers';
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/**
 * Authenticates tokens `id.secret` with which nodes join a cluster. Each is in a Secret `bootstrap-token-id`, and is
 * valid as long as the Secret holds it. A wrong token is left to the next authenticator.
 * Upstream: kubernetes `plugin/pkg/auth/authenticator/token/bootstrap`.
 */
export function bootstrapTokenAuthenticator({ secret, now }: BootstrapTokenOptions): Authenticator {
  return {
    name: 'bootstrap-token',
    authenticate: ({ bearerToken = '' }) => {
      const [, id, secretPart] = TOKEN.exec(bearerToken) ?? [];
      if (id === undefined || secretPart === undefined) return undefined;
      return secret(`bootstrap-token-${id}`).then((found) =>
        found === undefined ? undefined : userOf(found, id, secretPart, now()),
      );
    },
  };
}

function userOf(secret: Readonly<KubernetesObject>, id: string, secretPart: string, now: number): UserInfo | undefined {
  if (secret.metadata.deletionTimestamp !== undefined || getOwn(asJson(secret), 'type') !== SECRET_TYPE) {
    return undefined;
  }
  const text = (key: string): string => textOf(secret, key);
  if (!isSame(text('token-secret'), secretPart) || text('token-id') !== id) return undefined;
  if (hasExpired(text('expiration'), now) || text('usage-bootstrap-authentication') !== 'true') return undefined;
  const groups = groupsOf(text('auth-extra-groups'));
  return groups === undefined ? undefined : { name: `system:bootstrap:${id}`, uid: '', groups, extra: {} };
}

function textOf(secret: Readonly<KubernetesObject>, key: string): string {
  const data = getOwn(asJson(secret), 'data');
  const value = isObject(data) ? getOwn(data, key) : undefined;
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : '';
}

function isSame(held: string, shown: string): boolean {
  const [one, other] = [Buffer.from(held), Buffer.from(shown)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A malformed time counts as expired. Upstream: `cluster-bootstrap/util/secrets` HasExpired. */
function hasExpired(expiration: string, now: number): boolean {
  if (expiration === '') return false;
  try {
    return parseTime(expiration) <= now;
  } catch (error) {
    if (error instanceof TimeParseError) return true;
    throw error;
  }
}

/** Undefined when one of them is not a group of bootstrap tokens. Upstream: `cluster-bootstrap/util/secrets` GetGroups. */
function groupsOf(extra: string): readonly string[] | undefined {
  const named = extra === '' ? [] : [...new Set(extra.split(','))];
  return named.every((group) => EXTRA_GROUP.test(group)) ? [...new Set([GROUP, ...named])].toSorted() : undefined;
}

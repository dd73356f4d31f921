import { createHash } from 'node:crypto';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { UserInfo } from '@binnacle/apiserver/authentication';
import type { Delegation } from '@binnacle/apiserver';
import { exchange } from '@binnacle/client/rest';
import type { Transport } from '@binnacle/client/transport';
import { RecentAnswers } from './recent-answers.js';

/** Upstream: the cache times of apiserver `DelegatingAuthenticationOptions` and `DelegatingAuthorizationOptions`. */
const CACHE_MS = 10_000;
const ENTRIES = 4096;

interface TokenReview {
  readonly status?: {
    readonly authenticated?: boolean;
    readonly user?: {
      readonly username?: string;
      readonly uid?: string;
      readonly groups?: readonly string[];
      readonly extra?: Readonly<Record<string, readonly string[]>>;
    };
  };
}

interface AccessReview {
  readonly status?: { readonly allowed?: boolean; readonly denied?: boolean; readonly reason?: string };
}

/** Asks a cluster about tokens and rights. Answers count for ten seconds. */
export function delegateTo(cluster: Transport, clock: Clock): Delegation {
  const users = new RecentAnswers<UserInfo | undefined>(clock, CACHE_MS, ENTRIES);
  const decisions = new RecentAnswers<Awaited<ReturnType<Delegation['authorize']>>>(clock, CACHE_MS, ENTRIES);
  return {
    userOf: (token) => {
      const key = createHash('sha256').update(token).digest('hex');
      return users.get(key, () => reviewToken(cluster, token));
    },
    authorize: (attributes) => {
      const spec = specOf(attributes);
      return decisions.get(JSON.stringify(spec), () => reviewAccess(cluster, spec));
    },
  };
}

async function reviewToken(cluster: Transport, token: string): Promise<UserInfo | undefined> {
  const path = '/apis/authentication.k8s.io/v1/tokenreviews';
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
  const { status = {} }: TokenReview = await post(cluster, path, body);
  if (status.authenticated !== true) return undefined;
  const { username = '', uid = '', groups = [], extra = {} } = status.user ?? {};
  return { name: username, uid, groups, extra };
}

async function reviewAccess(cluster: Transport, spec: JsonObject) {
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  const { status = {} }: AccessReview = await post(cluster, path, body);
  const { allowed = false, denied = false, reason = '' } = status;
  return allowed ? { allowed, reason } : { allowed: false as const, denied, reason };
}

async function post(cluster: Transport, path: string, body: JsonObject): Promise<JsonObject> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return exchange(cluster, { method: 'POST', path, headers, body: JSON.stringify(body) }, {});
}

function specOf({
  user,
  verb,
  isResourceRequest,
  path,
  ...target
}: Parameters<Delegation['authorize']>[0]): JsonObject {
  const { name, uid, groups, extra } = user;
  const { namespace, group, version, resource, subresource } = target;
  return {
    user: name,
    uid,
    groups: [...groups],
    extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])),
    ...(isResourceRequest
      ? { resourceAttributes: { namespace, verb, group, version, resource, subresource, name: target.name } }
      : { nonResourceAttributes: { path, verb } }),
  };
}

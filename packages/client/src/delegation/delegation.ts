import { createHash } from 'node:crypto';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { exchange } from '../rest/index.js';
import type { Transport } from '../transport/index.js';
import { RecentAnswers } from './recent-answers.js';

/** Upstream: the cache times of apiserver `DelegatingAuthenticationOptions` and `DelegatingAuthorizationOptions`. */
const CACHE_MS = 10_000;
const ENTRIES = 4096;

export interface DelegatedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A right to check. The fields of a resource count only for resource requests, and the path only for others. */
export interface DelegatedAttributes {
  readonly user: DelegatedUser;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  readonly namespace: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly path: string;
}

export type DelegatedDecision =
  | { readonly allowed: true; readonly reason: string }
  | { readonly allowed: false; readonly denied?: boolean; readonly reason: string };

/** A cluster's answers about users and rights. Both methods reject when the cluster does not answer. */
export interface Delegation {
  /** The user of a bearer token; undefined: no one's. */
  userOf(token: string): Promise<DelegatedUser | undefined>;
  authorize(attributes: DelegatedAttributes): Promise<DelegatedDecision>;
}

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
  const users = new RecentAnswers<DelegatedUser | undefined>(clock, CACHE_MS, ENTRIES);
  const decisions = new RecentAnswers<DelegatedDecision>(clock, CACHE_MS, ENTRIES);
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

async function reviewToken(cluster: Transport, token: string): Promise<DelegatedUser | undefined> {
  const path = '/apis/authentication.k8s.io/v1/tokenreviews';
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
  const { status = {} }: TokenReview = await post(cluster, path, body);
  if (status.authenticated !== true) return undefined;
  const { username = '', uid = '', groups = [], extra = {} } = status.user ?? {};
  return { name: username, uid, groups, extra };
}

async function reviewAccess(cluster: Transport, spec: JsonObject): Promise<DelegatedDecision> {
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  const { status = {} }: AccessReview = await post(cluster, path, body);
  const { allowed = false, denied = false, reason = '' } = status;
  return allowed ? { allowed, reason } : { allowed: false, denied, reason };
}

async function post(cluster: Transport, path: string, body: JsonObject): Promise<JsonObject> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return exchange(cluster, { method: 'POST', path, headers, body: JSON.stringify(body) }, {});
}

function specOf({ user, verb, isResourceRequest, path, ...target }: DelegatedAttributes): JsonObject {
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

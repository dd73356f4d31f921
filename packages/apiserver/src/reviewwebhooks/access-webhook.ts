import { createHash } from 'node:crypto';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorization/index.js';
import {
  ExpiringCache,
  type RemoteService,
  type RemoteServiceConfig,
  SharedCalls,
  WebhookCallError,
} from '../webhooks/index.js';
import { accessSpec } from './access-spec.js';
import { booleanIn, ReviewAnswerError, statusOf, textIn } from './review-answer.js';

/** The result of the match conditions of a webhook. `error`: no condition is false, and this one failed. */
export type ConditionsOutcome = { readonly matches: boolean } | { readonly error: string };

/** The conditions under which a webhook is asked. */
export interface AccessConditions {
  /** `spec`: that of the SubjectAccessReview v1. */
  evaluate(spec: JsonObject): Promise<ConditionsOutcome>;
}

/** A service that decides about requests. */
export interface AccessWebhook {
  readonly service: RemoteServiceConfig;
  /** The version of the reviews. */
  readonly version: 'v1' | 'v1beta1';
  /** Of one attempt. */
  readonly timeoutMs: number;
  /** How long answers that allow, and that do not, are cached, in milliseconds; 0 = not at all. */
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  /** Whether a failure denies the request. Otherwise the service then has no opinion. */
  readonly deniesOnFailure: boolean;
  /** Undefined: it is always asked. */
  readonly conditions: AccessConditions | undefined;
}

/** One authorizer of a configuration. */
export type AuthorizerRule =
  | { readonly type: 'ABAC' | 'AlwaysAllow' | 'AlwaysDeny' | 'Node' | 'RBAC'; readonly name: string }
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: AccessWebhook };

/** How an attempt to ask a webhook ended. */
export type AccessCallResult = 'success' | 'timeout' | 'error';

/** Observes the calls of an authorizer webhook. */
export interface AccessWebhookObserver {
  /** An attempt has ended. */
  called(result: AccessCallResult, seconds: number): void;
  /** The webhook has no opinion, because it could not be asked. */
  failedOpen(result: AccessCallResult): void;
  conditionsEvaluated(outcome: 'matched' | 'excluded' | 'error', seconds: number): void;
}

const CACHED_ANSWERS = 8192;
/** Longer questions are not cached, since the client chooses their length. Upstream: `maxControlledAttrCacheSize`. */
const LONGEST_CACHED = 10_000;
/** All attempts of one question. */
const DEADLINE_MS = 30_000;
const GATEWAY_TIMEOUT = 504;
const NO_OPINION: Decision = { allowed: false, reason: '' };

/** The service's decision about a request. */
interface Answer {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string;
}

/** Asks a webhook what a user may do. Upstream: apiserver `plugin/pkg/authorizer/webhook`. */
export function accessWebhookAuthorizer(
  webhook: AccessWebhook,
  service: Pick<RemoteService, 'post'>,
  clock: Clock,
  observer: AccessWebhookObserver,
): Authorizer {
  const { deniesOnFailure, authorizedMs, unauthorizedMs } = webhook;
  const cache = new ExpiringCache<Answer>(clock, CACHED_ANSWERS);
  const calls = new SharedCalls<Answer>();
  const failed = (error: string): Decision => ({ allowed: false, denied: deniesOnFailure, reason: '', error });

  const ask = async (key: string, spec: JsonObject, attributes: AuthorizationAttributes): Promise<Answer> => {
    const answer = await review(spec, webhook, service, clock, observer);
    if (isShort(attributes)) cache.add(key, answer, answer.allowed ? authorizedMs : unauthorizedMs);
    return answer;
  };

  return {
    async authorize(attributes) {
      const spec = accessSpec(attributes);
      const outcome = await conditionsOutcome(webhook, spec, clock, observer);
      if (outcome !== undefined && 'error' in outcome) return failed(outcome.error);
      if (outcome?.matches === false) return NO_OPINION;
      const key = createHash('sha256').update(JSON.stringify(spec)).digest('base64');
      try {
        return decisionOf(cache.get(key) ?? (await calls.once(key, () => ask(key, spec, attributes))));
      } catch (error) {
        if (!(error instanceof WebhookCallError || error instanceof ReviewAnswerError)) throw error;
        if (!deniesOnFailure) observer.failedOpen(resultOf(error));
        return failed(error.message);
      }
    },
  };
}

/** Undefined: there are no conditions. */
async function conditionsOutcome(
  { conditions }: AccessWebhook,
  spec: JsonObject,
  clock: Clock,
  observer: AccessWebhookObserver,
): Promise<ConditionsOutcome | undefined> {
  if (conditions === undefined) return undefined;
  const began = clock.monotonic();
  const outcome = await conditions.evaluate(spec);
  const result = 'error' in outcome ? 'error' : outcome.matches ? 'matched' : 'excluded';
  observer.conditionsEvaluated(result, (clock.monotonic() - began) / 1000);
  return outcome;
}

function resultOf(failure: unknown): AccessCallResult {
  const timedOut = failure instanceof WebhookCallError && (failure.timedOut || failure.code === GATEWAY_TIMEOUT);
  return timedOut ? 'timeout' : 'error';
}

function isShort({ namespace, verb, group, version, resource, subresource, name, path }: AuthorizationAttributes) {
  const texts = [namespace, verb, group, version, resource, subresource, name, path];
  return texts.reduce((sum, { length }) => sum + length, 0) < LONGEST_CACHED;
}

async function review(
  spec: JsonObject,
  { version, timeoutMs }: AccessWebhook,
  service: Pick<RemoteService, 'post'>,
  clock: Clock,
  observer: AccessWebhookObserver,
): Promise<Answer> {
  const apiVersion = `authorization.k8s.io/${version}`;
  const { groups, ...others } = spec;
  // The older version has another name for the groups.
  const sent = version === 'v1' || groups === undefined ? spec : { ...others, group: groups };
  const object = {
    kind: 'SubjectAccessReview',
    apiVersion,
    metadata: {},
    spec: sent,
    status: { allowed: false },
  };
  let seconds = 0;
  const bytes = await service.post(Buffer.from(JSON.stringify(object)), {
    timeoutSeconds: timeoutMs / 1000,
    deadline: clock.monotonic() + DEADLINE_MS,
    attempted: (milliseconds, failure) => {
      seconds = milliseconds / 1000;
      if (failure !== undefined) observer.called(resultOf(failure), seconds);
    },
  });
  try {
    const answer = answerIn(statusOf(bytes, apiVersion, 'SubjectAccessReview'));
    observer.called('success', seconds);
    return answer;
  } catch (error) {
    observer.called('error', seconds);
    throw error;
  }
}

function answerIn(status: JsonObject): Answer {
  return {
    allowed: booleanIn(status, 'allowed'),
    denied: booleanIn(status, 'denied'),
    reason: textIn(status, 'reason'),
  };
}

function decisionOf({ allowed, denied, reason }: Answer): Decision {
  if (allowed && denied) {
    const error = 'webhook subject access review returned both allow and deny response';
    return { allowed: false, denied, reason, error };
  }
  return allowed ? { allowed, reason } : { allowed, denied, reason };
}

import { createHash } from 'node:crypto';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { type Authenticator, refused, type UserInfo } from '../authentication/index.js';
import { ExpiringCache, type RemoteService, SharedCalls, WebhookCallError } from '../webhooks/index.js';
import { booleanIn, objectIn, ReviewAnswerError, statusOf, textIn, textsIn } from './review-answer.js';

export interface TokenWebhookOptions {
  readonly service: Pick<RemoteService, 'post'>;
  /** The version of the reviews. */
  readonly version: 'v1' | 'v1beta1';
  /** How long answers are cached, in milliseconds; 0 = not at all. */
  readonly cacheMs: number;
  /** The audiences of this server: tokens are for these unless a review requests others. */
  readonly apiAudiences: readonly string[];
  readonly clock: Clock;
  readonly observer: TokenCacheObserver;
}

/** Receives the use of the cache. It must not throw. */
export interface TokenCacheObserver {
  hit(): void;
  /** A request waits for an answer, its own or one that is on its way. The result must be called at the end. */
  missed(): () => void;
  /** The webhook is asked. The result must be called at the end. */
  fetching(): (succeeded: boolean) => void;
}

/** A token of more characters is not sent. */
const LONGEST_TOKEN = 64 * 1024;
const CACHED_ANSWERS = 32_768;
/** Upstream: `sharedLookupTimeout`, and the timeout of a client of a kubeconfig. */
const TIMEOUT_SECONDS = 30;

/** The webhook's answer about a token; undefined: the webhook does not accept it. */
type Answer = { readonly user: UserInfo; readonly audiences: readonly string[] } | undefined;

/** Asks a webhook which user a token belongs to. Upstream: apiserver `plugin/pkg/authenticator/token/webhook`. */
export function tokenWebhookAuthenticator(options: TokenWebhookOptions): Authenticator {
  const { cacheMs, apiAudiences, clock, observer } = options;
  const cache = new ExpiringCache<{ readonly answer: Answer }>(clock, CACHED_ANSWERS);
  const calls = new SharedCalls<Answer>();

  const ask = async (key: string, token: string, audiences: readonly string[]): Promise<Answer> => {
    const fetched = observer.fetching();
    let succeeded = false;
    try {
      const answer = await review(token, audiences, options);
      cache.add(key, { answer }, cacheMs);
      succeeded = true;
      return answer;
    } finally {
      fetched(succeeded);
    }
  };

  const wait = async (key: string, token: string, audiences: readonly string[]): Promise<Answer> => {
    const answered = observer.missed();
    try {
      return await calls.once(key, () => ask(key, token, audiences));
    } finally {
      answered();
    }
  };

  const userOfToken = async (token: string, audiences: readonly string[] | undefined) => {
    const asked = audiences ?? apiAudiences;
    const key = keyOf(token, asked);
    const known = cache.get(key);
    if (known !== undefined) observer.hit();
    const answer = known === undefined ? await wait(key, token, asked) : known.answer;
    if (answer === undefined || audiences === undefined) return answer?.user;
    return { ...answer.user, audiences: answer.audiences };
  };

  return {
    name: 'token-webhook',
    authenticate: ({ bearerToken = '', audiences }) =>
      bearerToken === '' || bearerToken.length > LONGEST_TOKEN ? undefined : userOfToken(bearerToken, audiences),
  };
}

/** A digest, so that no token stays in memory. */
function keyOf(token: string, audiences: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([token, ...audiences]))
    .digest('base64');
}

/** Throws {@link refused} when the webhook fails or says why the token is wrong. */
async function review(
  token: string,
  asked: readonly string[],
  { service, version, apiAudiences, clock }: TokenWebhookOptions,
): Promise<Answer> {
  const apiVersion = `authentication.k8s.io/${version}`;
  const sent = {
    kind: 'TokenReview',
    apiVersion,
    metadata: {},
    spec: { token, audiences: asked },
    status: { user: {} },
  };
  const deadline = clock.monotonic() + TIMEOUT_SECONDS * 1000;
  try {
    const body = Buffer.from(JSON.stringify(sent));
    const answer = await service.post(body, { timeoutSeconds: TIMEOUT_SECONDS, deadline });
    return answerOf(statusOf(answer, apiVersion, 'TokenReview'), asked, apiAudiences);
  } catch (error) {
    if (error instanceof WebhookCallError || error instanceof ReviewAnswerError) throw refused(error.message);
    throw error;
  }
}

/** An answer without audiences is for those of this server. */
function answerOf(status: JsonObject, asked: readonly string[], own: readonly string[]): Answer {
  const named = textsIn(status, 'audiences');
  const meant = named.length > 0 ? named : own;
  const audiences = asked.filter((audience) => meant.includes(audience));
  if (audiences.length === 0) return undefined;
  const user = userOf(objectIn(status, 'user'));
  const error = textIn(status, 'error');
  if (booleanIn(status, 'authenticated')) return { user, audiences };
  if (error !== '') throw refused(error);
  return undefined;
}

function userOf(user: JsonObject): UserInfo {
  const extra = objectIn(user, 'extra');
  return {
    name: textIn(user, 'username'),
    uid: textIn(user, 'uid'),
    groups: textsIn(user, 'groups'),
    extra: Object.fromEntries(Object.keys(extra).map((key) => [key, textsIn(extra, key)])),
  };
}

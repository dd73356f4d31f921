import { createHash } from 'node:crypto';
import type { Clock } from '@binnacle/apimachinery/clock';
import { getOwn } from '@binnacle/apimachinery/json';
import type { ImageReviewer, ImageReviewSpec, ImageVerdict } from '../admission/index.js';
import {
  ExpiringCache,
  type RemoteService,
  type RemoteServiceConfig,
  SharedCalls,
  WebhookCallError,
} from '../webhooks/index.js';
import { booleanIn, objectIn, ReviewAnswerError, statusOf, textIn } from './review-answer.js';

/** A service that decides about the images of pods. */
export interface ImageWebhook {
  readonly service: RemoteServiceConfig;
  /** How long answers that allow, and that do not, are cached, in milliseconds; 0 = not at all. */
  readonly allowMs: number;
  readonly denyMs: number;
  /** The first pause before another attempt, in milliseconds. */
  readonly backoffMs: number;
  readonly defaultAllow: boolean;
}

const API_VERSION = 'imagepolicy.k8s.io/v1alpha1';
const KIND = 'ImageReview';
const CACHED_ANSWERS = 1024;
/** All attempts of one question. Upstream: the timeout of a client of a kubeconfig. */
const TIMEOUT_SECONDS = 30;

/** Asks a webhook about images, and caches its answers. Upstream: `plugin/pkg/admission/imagepolicy`. */
export function imageReviewer(
  { allowMs, denyMs, defaultAllow }: ImageWebhook,
  service: Pick<RemoteService, 'post'>,
  clock: Clock,
): ImageReviewer {
  const cache = new ExpiringCache<ImageVerdict>(clock, CACHED_ANSWERS);
  const calls = new SharedCalls<ImageVerdict>();

  const ask = async (key: string, body: Uint8Array): Promise<ImageVerdict> => {
    const deadline = clock.monotonic() + TIMEOUT_SECONDS * 1000;
    const answer = await service.post(body, { timeoutSeconds: TIMEOUT_SECONDS, deadline });
    const status = statusOf(answer, API_VERSION, KIND);
    const verdict = {
      allowed: booleanIn(status, 'allowed'),
      reason: textIn(status, 'reason'),
      auditAnnotations: textsByName(objectIn(status, 'auditAnnotations')),
    };
    cache.add(key, verdict, verdict.allowed ? allowMs : denyMs);
    return verdict;
  };

  return {
    allowsOnFailure: defaultAllow,
    async review(spec) {
      const body = reviewOf(spec);
      const key = createHash('sha256').update(body).digest('base64');
      try {
        return cache.get(key) ?? (await calls.once(key, () => ask(key, body)));
      } catch (error) {
        if (error instanceof WebhookCallError || error instanceof ReviewAnswerError) return { error: error.message };
        throw error;
      }
    },
  };
}

function reviewOf(spec: ImageReviewSpec): Uint8Array {
  return Buffer.from(
    JSON.stringify({ kind: KIND, apiVersion: API_VERSION, metadata: {}, spec, status: { allowed: false } }),
  );
}

/** Throws a {@link ReviewAnswerError} for a value that is not text. */
function textsByName(values: ReturnType<typeof objectIn>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.keys(values).flatMap((name) => (getOwn(values, name) === null ? [] : [[name, textIn(values, name)]])),
  );
}

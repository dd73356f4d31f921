import type { WebhookClientConfig } from '@binnacle/api/types/admissionregistration-v1';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { internalError, quoteGo, timeout } from '@binnacle/apimachinery/status';
import type { Span } from '@binnacle/apimachinery/tracing';
import { validateLabelKey } from '@binnacle/apimachinery/validation';
import type { AdmissionAttributes, EncodedObjects, VersionedResource } from '../admission/index.js';
import { inTurns } from '../slices/index.js';
import { WebhookCallError, type WebhookClient } from '../webhooks/index.js';
import type { ConfiguredWebhook } from './configured-webhook.js';
import { Denial, denial, noDryRun } from './denial.js';
import type { ObservedCall, RejectionCause, WebhookObserver, WebhookType } from './observer.js';
import { admissionReview, type ReviewVersion, reviewVersionOf } from './review.js';
import { readReview, type Verdict, verdictOf } from './review-answer.js';

/** The call of a webhook failed, so its failure policy decides. */
export class FailedCall extends Error {
  override readonly name = 'FailedCall';
  /** As upstream's metrics count it. */
  readonly code: number;

  constructor(webhook: string, reason: string, code = 503) {
    super(`failed calling webhook ${quoteGo(webhook)}: ${reason}`);
    this.code = code;
  }
}

export interface WebhookCallsOptions {
  readonly clients: { of(config: WebhookClientConfig): Pick<WebhookClient, 'post'> };
  readonly clock: Clock;
  /** Chooses the UIDs of requests. */
  readonly random: Random;
  readonly observer?: WebhookObserver | undefined;
}

/** A request to one webhook. */
export interface WebhookRequest {
  readonly webhook: ConfiguredWebhook;
  readonly attributes: AdmissionAttributes;
  /** The resource and kind in which the webhook sees the objects. */
  readonly seen: VersionedResource;
  /** In the version of `seen`. */
  readonly objects: EncodedObjects;
}

/** The effect of a call whose failure is ignored. */
export const IGNORED = 'ignored';

/** Calls webhooks, and applies their failure policies. Upstream: apiserver `plugin/webhook/{mutating,validating}`. */
export class WebhookCalls {
  readonly #options: WebhookCallsOptions;
  readonly #type: WebhookType;

  constructor(type: WebhookType, options: WebhookCallsOptions) {
    this.#type = type;
    this.#options = options;
  }

  /**
   * Resolves with the result of `use` for a verdict that allows the request, or with {@link IGNORED}. Rejects with the
   * answer to the client. A {@link FailedCall} of `use` counts as a failure of the call.
   */
  async call<T>(request: WebhookRequest, use: (verdict: Verdict) => T | Promise<T>): Promise<T | typeof IGNORED> {
    const { webhook, attributes } = request;
    const { clock, observer } = this.#options;
    const call: ObservedCall = { name: webhook.name, type: this.#type, operation: attributes.operation };
    const start = clock.monotonic();
    const observe = (code: number, rejected: boolean): void =>
      observer?.called(call, (clock.monotonic() - start) / 1000, code, rejected);
    try {
      const used = await use(await this.#ask(request));
      observe(200, false);
      return used;
    } catch (error) {
      const ignored = error instanceof FailedCall && webhook.ignoresFailures;
      const { cause, code } = classify(error);
      if (!ignored && !(error instanceof FailedCall && attributes.signal.aborted)) {
        observer?.rejected(call, cause, code);
      }
      observe(code, !ignored);
      if (!(error instanceof FailedCall)) throw error;
      if (!ignored) throw internalError(error);
      // The webhook is not to blame when the request itself has run out of time.
      if (attributes.signal.aborted || clock.monotonic() >= attributes.deadline) throw requestTimedOut();
      observer?.failedOpen(call);
      return IGNORED;
    }
  }

  /** Throws the refusal of a webhook, and {@link FailedCall}. */
  async #ask(request: WebhookRequest): Promise<Verdict> {
    const { webhook, attributes } = request;
    const { name } = webhook;
    checkDryRun(webhook, attributes);
    const version = reviewVersionOf(webhook.webhook.admissionReviewVersions ?? []);
    if (version === undefined) {
      const reason = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';
      throw new FailedCall(name, `could not create admission objects: ${reason}`, 400);
    }
    const uid = this.#options.random.uuid();
    const review = await failing(name, 'failed to call webhook', () => this.#exchange(request, version, uid));
    const verdict = await failing(name, 'received invalid webhook response', () =>
      verdictOf(review, version, uid, this.#type === 'admit'),
    );
    await inTurns(verdict.auditAnnotations, ([key, value]) => {
      if (validateLabelKey(`${name}/${key}`).length === 0) attributes.annotate(`${name}/${key}`, value);
    });
    await inTurns(verdict.warnings, (text) => attributes.warn(text));
    if (!verdict.allowed) throw denial(name, verdict.status);
    return verdict;
  }

  async #exchange(
    { webhook, attributes, seen, objects }: WebhookRequest,
    version: ReviewVersion,
    uid: string,
  ): Promise<JsonObject> {
    const { clientConfig, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = webhook.webhook;
    const body = admissionReview(version, uid, attributes, seen, objects);
    const { signal, deadline } = attributes;
    const span = this.#beginSpan(webhook, attributes, uid);
    try {
      const limits = { timeoutSeconds, signal, deadline };
      const answer = await this.#options.clients.of(clientConfig ?? {}).post(body, { ...limits, ...headersOf(span) });
      return await readReview(answer, version);
    } finally {
      span?.end();
    }
  }

  #beginSpan(
    { configuration, name }: ConfiguredWebhook,
    { span, operation, subresource, resource }: AdmissionAttributes,
    uid: string,
  ): Span | undefined {
    return span?.begin(`Call ${this.#type === 'admit' ? 'mutating' : 'validating'} webhook`, {
      configuration,
      webhook: name,
      resource: `${resource.group}/${resource.version}, Resource=${resource.resource}`,
      subresource,
      operation,
      UID: uid,
    });
  }
}

const headersOf = (span: Span | undefined) => (span === undefined ? {} : { headers: span.headers });

const DEFAULT_TIMEOUT_SECONDS = 10;

/** The answer to a request that ends while webhooks are called. */
export function requestTimedOut() {
  return timeout('request did not complete within requested timeout');
}

function checkDryRun({ name, webhook: { sideEffects } }: ConfiguredWebhook, { dryRun }: AdmissionAttributes): void {
  if (!dryRun || sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return;
  throw sideEffects === undefined ? new FailedCall(name, 'Webhook SideEffects is nil', 400) : noDryRun(name);
}

async function failing<T>(name: string, what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    throw new FailedCall(name, `${what}: ${error.message}`, error.code);
  }
}

function classify(error: unknown): { readonly cause: RejectionCause; readonly code: number } {
  if (error instanceof FailedCall) return { cause: 'calling_webhook_error', code: error.code };
  if (error instanceof Denial) return { cause: 'no_error', code: error.status.code ?? 0 };
  return { cause: 'apiserver_internal_error', code: 0 };
}

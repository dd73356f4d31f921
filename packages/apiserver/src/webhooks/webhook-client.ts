import type { Buffer } from 'node:buffer';
import { abortable, type Clock, Deadline, TimeoutError } from '@binnacle/apimachinery/clock';
import { StatusError } from '@binnacle/apimachinery/status';
import type { WebhookClientConfig } from '@binnacle/api/types/admissionregistration-v1';
import { describeFailure, WebhookCallError } from './call-error.js';
import { redirectedTarget, type Target, targetOf } from './call-target.js';
import type { ServiceResolver } from './service-resolver.js';
import { AnsweredError, bodyOf, keepsBody } from './webhook-answer.js';
import { BrokenAnswer, type WebhookConnections, type WebhookConnectionsOptions } from './webhook-connections.js';

export interface WebhookClientOptions extends WebhookConnectionsOptions {
  readonly resolve: ServiceResolver;
  readonly clock: Clock;
}

/** How a webhook is called. */
export interface CallOptions {
  readonly timeoutSeconds: number;
  /** Milliseconds of monotonic time. Default: none. */
  readonly deadline?: number;
  /** Ends the call with the request that needs it. */
  readonly signal?: AbortSignal;
  /** Further headers. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Upstream: Go's `http.Client`. */
const REDIRECTS = 10;

/** A client for one webhook: posts JSON to the configured address over persistent connections. */
export class WebhookClient {
  readonly #config: WebhookClientConfig;
  readonly #options: Pick<WebhookClientOptions, 'resolve' | 'clock'>;
  readonly #connections: Pick<WebhookConnections, 'exchange' | 'close'>;
  #underWay = 0;
  #closed = false;

  constructor(
    config: WebhookClientConfig,
    options: Pick<WebhookClientOptions, 'resolve' | 'clock'>,
    connections: Pick<WebhookConnections, 'exchange' | 'close'>,
  ) {
    this.#config = config;
    this.#options = options;
    this.#connections = connections;
  }

  /**
   * Posts JSON and resolves with the response body, which is not empty. Rejects with a {@link WebhookCallError}. The
   * pieces of the body are not copied, so that many calls may share large ones.
   */
  async post(body: readonly Uint8Array[], { timeoutSeconds, deadline, signal, headers }: CallOptions): Promise<Buffer> {
    const { clock } = this.#options;
    const left = (deadline ?? Number.POSITIVE_INFINITY) - clock.monotonic();
    const milliseconds = Math.max(0, Math.min(timeoutSeconds * 1000, left));
    const target = { ...this.#target(`?timeout=${String(Math.ceil(milliseconds / 1000))}s`), headers };
    using limit = new Deadline(clock, milliseconds, signal, target.url);
    this.#underWay++;
    try {
      return await this.#call(target, body, limit.signal);
    } finally {
      this.#underWay--;
      this.#closeWhenIdle();
    }
  }

  /** Closes the connections after the calls in progress. */
  close(): void {
    this.#closed = true;
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (this.#closed && this.#underWay === 0) this.#connections.close();
  }

  /** Validation accepts the URLs of Go, of which `URL` refuses some. */
  #target(query: string): Target {
    try {
      return targetOf(this.#config, query);
    } catch (error) {
      throw new WebhookCallError(`Unparsable URL: ${describeFailure(error)}`, { cause: error });
    }
  }

  async #call(first: Target, body: readonly Uint8Array[], signal: AbortSignal): Promise<Buffer> {
    let shown = `Post "${first.url}"`;
    try {
      let target = await this.#resolved(first, signal);
      let sent: readonly Uint8Array[] | undefined = body;
      for (let redirects = 0; ; redirects++) {
        const answer = await this.#connections.exchange(target, sent, signal);
        if (answer.location === undefined) return bodyOf(answer);
        if (redirects === REDIRECTS) throw new Error(`stopped after ${REDIRECTS} redirects`);
        if (!keepsBody(answer.status)) sent = undefined;
        target = redirectedTarget(target, answer.location);
        shown = `${sent === undefined ? 'Get' : 'Post'} "${target.url}"`;
      }
    } catch (error) {
      throw callError(error, shown, signal);
    }
  }

  async #resolved(target: Target, signal: AbortSignal): Promise<Target> {
    const { service } = this.#config;
    if (service === undefined) return target;
    const address = await abortable(this.#options.resolve(service), signal);
    return { ...target, ...address };
  }
}

/** The error of a call, in upstream's words. `request`: the last one that was sent, such as `Post "https://x/"`. */
function callError(error: unknown, request: string, signal: AbortSignal): WebhookCallError {
  if (error instanceof AnsweredError) return error;
  const timedOut = signal.aborted && isTimeout(signal.reason);
  const reason = signal.aborted ? describeEnd(timedOut) : describeFailure(error);
  const options = { cause: error, timedOut };
  if (!(error instanceof BrokenAnswer)) return new WebhookCallError(`${request}: ${reason}`, options);
  const what = 'unexpected error when reading response body. Please retry. Original error:';
  return new WebhookCallError(`${what} ${reason === 'EOF' ? 'unexpected EOF' : reason}`, options);
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof TimeoutError || (reason instanceof StatusError && reason.reason === 'Timeout');
}

/** Why a call had to end. */
function describeEnd(timedOut: boolean): string {
  return timedOut ? 'context deadline exceeded' : 'context canceled';
}

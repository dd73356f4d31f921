import type { Buffer } from 'node:buffer';
import { type Clock, type Random, sleep } from '@binnacle/apimachinery/clock';
import { WebhookCallError } from './call-error.js';
import { type CallOptions, WebhookClient } from './webhook-client.js';
import { CredentialedConnections, type CredentialedTrust } from './credentialed-connections.js';
import type { WebhookConnectionsOptions } from './webhook-connections.js';

/** A service that the administrator has configured by a kubeconfig. */
export interface RemoteServiceConfig extends CredentialedTrust {
  /** `https://host:port/path`. */
  readonly url: string;
}

export interface RemoteServiceOptions extends WebhookConnectionsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly retry?: RetryOptions | undefined;
}

export interface RetryOptions {
  /** The first pause, in milliseconds. Default: 500. */
  readonly backoffMs: number;
  /** Whether every failure is retried. Default: only those that are known to be transient. */
  readonly afterAnyFailure: boolean;
}

export interface PostOptions extends CallOptions {
  readonly deadline: number;
  /** Called after each attempt, with its milliseconds and its failure, if any. */
  readonly attempted?: (milliseconds: number, failure: unknown) => void;
}

/** Upstream: `DefaultRetryBackoffWithInitialDelay` of apiserver `pkg/util/webhook`. */
const BACKOFF = { factor: 1.5, jitter: 0.2, attempts: 5 };
const TRANSIENT_ALONE: RetryOptions = { backoffMs: 500, afterAnyFailure: false };
/** The statuses after which the same request may succeed. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 500, 504]);

/** Calls a configured service over persistent connections, with its current credentials. */
export class RemoteService {
  readonly #options: RemoteServiceOptions;
  readonly #client: WebhookClient;

  constructor(config: RemoteServiceConfig, options: RemoteServiceOptions) {
    this.#options = options;
    const unresolved = () => Promise.reject(new WebhookCallError('no services'));
    this.#client = new WebhookClient(
      { url: config.url },
      { resolve: unresolved, clock: options.clock },
      new CredentialedConnections(config, options),
    );
  }

  /**
   * Posts JSON and resolves with the answer. It tries again after a transient failure, five times in all, and not past
   * `deadline` (milliseconds of monotonic time). Rejects with the last {@link WebhookCallError}.
   */
  async post(body: Uint8Array, { attempted, ...limits }: PostOptions): Promise<Buffer> {
    const { clock, random, retry = TRANSIENT_ALONE } = this.#options;
    let pause = retry.backoffMs;
    for (let attempt = 1; ; attempt++) {
      const began = clock.monotonic();
      try {
        const answer = await this.#client.post([body], limits);
        attempted?.(clock.monotonic() - began, undefined);
        return answer;
      } catch (error) {
        attempted?.(clock.monotonic() - began, error);
        const milliseconds = pause * (1 + BACKOFF.jitter * random.number());
        const isLast = attempt === BACKOFF.attempts || clock.monotonic() + milliseconds >= limits.deadline;
        if (isLast || !(retry.afterAnyFailure || isTransient(error))) throw error;
        await sleep(clock, milliseconds, limits.signal);
        pause *= BACKOFF.factor;
      }
    }
  }

  /** Closes the connections after the calls in progress. */
  close(): void {
    this.#client.close();
  }
}

/** Upstream: `DefaultShouldRetry` of apiserver `pkg/util/webhook`. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof WebhookCallError)) return false;
  const { code = '' } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return TRANSIENT_STATUSES.has(error.code) || code === 'ECONNRESET';
}

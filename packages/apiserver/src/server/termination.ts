import { sleep } from '@binnacle/apimachinery/clock';
import type { LogRecord } from '@binnacle/apimachinery/logging';
import type { InFlightRequests } from '../filters/index.js';
import type { ServerConfig } from './config.js';

/** How long a shutdown waits for requests in progress. */
const DRAIN_MS = 8000;
/** How long a shutdown may take with the last audit events and spans, without the delays that flags set. The store closes afterwards. */
const STOP_MS = 9500;
const LEAST_CLOSING_MS = STOP_MS - DRAIN_MS;
/** Of the lines that name the stages. Upstream: the same. */
const VERBOSITY = 1;

/**
 * What happens while a server stops, under upstream's names: they are in the log. Upstream: apiserver `pkg/server/lifecycle_signals.go`.
 */
export type LifecycleSignal =
  /** A stop has begun: `/readyz` fails, and the server serves as before. */
  | 'ShutdownInitiated'
  /** Load balancers have had `--shutdown-delay-duration` to switch. */
  | 'AfterShutdownDelayDuration'
  /** Other servers no longer count on this one. */
  | 'PreShutdownHooksStopped'
  /** New requests are refused, and watches end. */
  | 'NotAcceptingNewRequest'
  /** The port is closed. */
  | 'HTTPServerStoppedListening'
  /** No request is in progress. */
  | 'InFlightRequestsDrained';

export interface DrainedParts {
  readonly inFlight: Pick<InFlightRequests, 'abortLongRunning' | 'settled' | 'count'>;
  /** Stops listening at once, and resolves when no connection is left, at most after `drainMs`. */
  readonly close: (drainMs: number) => Promise<void>;
}

type TerminationConfig = Pick<
  ServerConfig,
  'clock' | 'log' | 'shutdownDelayMs' | 'shutdownSendsRetryAfter' | 'shutdownWatchGraceMs'
>;

/** The stages of a stop, in order. {@link LifecycleSignal} says what each begins. */
export class Termination {
  readonly #config: TerminationConfig;
  readonly #initiated = new AbortController();
  #announced: Promise<void> | undefined;
  #drainBegan: number;
  #refuses = false;

  constructor(config: TerminationConfig) {
    this.#config = config;
    this.#drainBegan = config.clock.monotonic();
  }

  /** Fires with `ShutdownInitiated`. */
  get initiated(): AbortSignal {
    return this.#initiated.signal;
  }

  /** Whether new requests get 429. */
  get refuses(): boolean {
    return this.#refuses;
  }

  /** Begins the stop, and settles when load balancers have switched and `withdraw` has ended. Idempotent. */
  announce(withdraw: () => Promise<void> | undefined): Promise<void> {
    this.#announced ??= this.#announce(withdraw);
    return this.#announced;
  }

  /** Ends watches, lets other requests finish, and closes the port: first or, if new requests get 429, last. */
  async drain({ inFlight, close }: DrainedParts): Promise<void> {
    const { clock, shutdownSendsRetryAfter, shutdownWatchGraceMs } = this.#config;
    this.#drainBegan = clock.monotonic();
    // A start that fails waits for no request.
    const isOrderly = this.#initiated.signal.aborted;
    const [drainMs, graceMs] = isOrderly ? [DRAIN_MS + shutdownWatchGraceMs, shutdownWatchGraceMs] : [0, 0];
    this.#refuses = shutdownSendsRetryAfter;
    this.#signal('NotAcceptingNewRequest');
    const watchesEnded = inFlight.abortLongRunning(new Error('the server is shutting down'), graceMs);
    if (shutdownSendsRetryAfter) {
      await Promise.all([watchesEnded, inFlight.settled(drainMs)]);
      this.#drained(inFlight.count);
      // Probes and scrapes were served until now.
      await Promise.all([this.#stopListening(close, drainMs), inFlight.settled(drainMs)]);
      return;
    }
    await Promise.all([this.#stopListening(close, drainMs), inFlight.settled(drainMs)]);
    this.#drained(inFlight.count);
  }

  /** How long the last audit events may take: more when the requests have ended soon. */
  closingMs(): number {
    return Math.max(LEAST_CLOSING_MS, STOP_MS - (this.#config.clock.monotonic() - this.#drainBegan));
  }

  /** Logs a step that has no name. */
  log(message: string, values: LogRecord['values'] = []): void {
    this.#config.log.info(VERBOSITY, 'server', `[graceful-termination] ${message}`, values);
  }

  async #announce(withdraw: () => Promise<void> | undefined): Promise<void> {
    const { clock, shutdownDelayMs } = this.#config;
    this.#initiated.abort();
    this.#signal('ShutdownInitiated');
    const delay = async (): Promise<void> => {
      if (shutdownDelayMs > 0) await sleep(clock, shutdownDelayMs);
      this.#signal('AfterShutdownDelayDuration');
    };
    const hooks = async (): Promise<void> => {
      await withdraw();
      this.#signal('PreShutdownHooksStopped');
    };
    await Promise.all([delay(), hooks()]);
  }

  #stopListening(close: DrainedParts['close'], drainMs: number): Promise<void> {
    const closed = close(drainMs);
    this.#signal('HTTPServerStoppedListening');
    return closed;
  }

  #drained(left: number): void {
    if (left === 0) this.#signal('InFlightRequestsDrained');
    else this.log('requests are cut off', [['requests', left]]);
  }

  #signal(name: LifecycleSignal): void {
    this.log('shutdown event', [['name', name]]);
  }
}

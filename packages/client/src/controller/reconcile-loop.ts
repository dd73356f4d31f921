import { setMaxListeners } from 'node:events';
import { inspect } from 'node:util';
import { type Clock, Deadline } from '@binnacle/apimachinery/clock';
import type { WorkQueue } from '../workqueue/index.js';
import { type ReconcileRequest, type ReconcileResult, requestKey, requestOfKey } from './reconcile-request.js';

/** Thrown by a reconcile whose retry would fail too. It is reported, and the request waits for the next change. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}

export interface ReconcileErrorOptions {
  readonly cause: unknown;
  /** The number of consecutive failures. */
  readonly failures: number;
  readonly willRetry: boolean;
}

/** Reported when a reconcile fails. `cause` is the error that it threw. */
export class ReconcileError extends Error {
  override readonly name = 'ReconcileError';
  readonly controller: string;
  readonly request: ReconcileRequest;
  readonly failures: number;
  readonly willRetry: boolean;

  constructor(controller: string, request: ReconcileRequest, { cause, failures, willRetry }: ReconcileErrorOptions) {
    const why = cause instanceof Error ? cause.message : inspect(cause);
    const next = willRetry
      ? `failed ${failures === 1 ? 'once' : `${failures} times`}`
      : 'failed and will not be retried';
    super(`controller ${controller}: the reconcile of ${requestKey(request)} ${next}: ${why}`, { cause });
    this.controller = controller;
    this.request = request;
    this.failures = failures;
    this.willRetry = willRetry;
  }

  /**
   * Whether it is worth a report. A reconcile that loses a race succeeds on retry. A lasting failure is reported at the 8th attempt, about a second
   * after the first with client-go's delays, then at the 16th, the 32nd and so on.
   */
  get hasLasted(): boolean {
    return !this.willRetry || (this.failures >= 8 && Number.isInteger(Math.log2(this.failures)));
  }
}

/** controller-runtime's labels. `requeue` never occurs here. */
export type ReconcileResultLabel = 'success' | 'error' | 'requeue' | 'requeue_after';

/** Receives what metrics count. */
export interface ReconcileObserver {
  /** Not called for a reconcile that ended because the loop was stopped. */
  ended(result: ReconcileResultLabel, milliseconds: number): void;
  /** A terminal error; `ended` is called as well. */
  gaveUp(): void;
  timedOut(): void;
}

export interface ReconcileLoopOptions {
  readonly name: string;
  /** The loop takes ownership and shuts it down when it stops. */
  readonly queue: WorkQueue<string>;
  readonly reconcile: (request: ReconcileRequest, signal: AbortSignal) => Promise<ReconcileResult | void>;
  readonly concurrency: number;
  /** Milliseconds. */
  readonly timeout: number | undefined;
  readonly clock: Clock;
  readonly report: (error: ReconcileError) => void;
  readonly observer: ReconcileObserver | undefined;
}

/**
 * Reconciles the keys of the queue until the signal fires. Then it starts no new reconcile, and resolves when the running ones have ended. It
 * reports the errors of reconciles and does not reject with them.
 */
export async function runReconcileLoop(options: ReconcileLoopOptions, signal: AbortSignal): Promise<void> {
  const { queue, concurrency } = options;
  const stop = () => queue.shutDown();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await Promise.all(Array.from({ length: concurrency }, () => work(options, workerSignal(signal))));
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A signal for each worker. A reconcile may send hundreds of requests at once, and Node warns of that many listeners by default. */
function workerSignal(signal: AbortSignal): AbortSignal {
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}

async function work(options: ReconcileLoopOptions, signal: AbortSignal): Promise<void> {
  const { queue } = options;
  for (;;) {
    const key = await queue.get();
    if (key === undefined || signal.aborted) return;
    try {
      await attempt(options, key, signal);
    } finally {
      queue.done(key);
    }
  }
}

async function attempt(options: ReconcileLoopOptions, key: string, signal: AbortSignal): Promise<void> {
  const { queue, clock, observer } = options;
  const startedAt = clock.monotonic();
  const ended = (result: ReconcileResultLabel) => observer?.ended(result, clock.monotonic() - startedAt);
  try {
    const delay = requeueDelay(await reconcile(options, requestOfKey(key), signal));
    queue.forget(key);
    if (delay !== undefined) queue.addAfter(key, delay);
    ended(delay === undefined ? 'success' : 'requeue_after');
  } catch (error) {
    if (isStop(error, signal)) return;
    ended('error');
    fail(options, key, error);
  }
}

function fail({ name, queue, report, observer }: ReconcileLoopOptions, key: string, cause: unknown): void {
  const willRetry = !(cause instanceof TerminalError);
  const failures = queue.retries(key) + 1;
  if (willRetry) {
    queue.addRateLimited(key);
  } else {
    queue.forget(key);
    observer?.gaveUp();
  }
  report(new ReconcileError(name, requestOfKey(key), { cause, failures, willRetry }));
}

async function reconcile(
  { reconcile, timeout, clock, name, observer }: ReconcileLoopOptions,
  request: ReconcileRequest,
  signal: AbortSignal,
): Promise<ReconcileResult | void> {
  if (timeout === undefined) return reconcile(request, signal);
  using deadline = new Deadline(clock, timeout, signal, `controller ${name}`);
  try {
    return await reconcile(request, deadline.signal);
  } finally {
    if (deadline.signal.aborted && !signal.aborted) observer?.timedOut();
  }
}

/** Rejects invalid delays: NaN would requeue in a tight loop. */
function requeueDelay(result: ReconcileResult | void): number | undefined {
  if (typeof result !== 'object') return undefined;
  const { requeueAfter: delay } = result;
  if (!(delay >= 0)) throw new RangeError(`requeueAfter must be a number of milliseconds, 0 or more, and is ${delay}`);
  // At least one turn of the event loop, so that other work can run.
  return Math.max(1, delay);
}

/** Whether the error is the abort of the signal, passed on by the call that it interrupted. */
function isStop(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.cause === reason));
}

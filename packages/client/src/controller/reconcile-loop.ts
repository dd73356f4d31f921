import { type Clock, Deadline } from '../clock/index.js';
import type { WorkQueue } from '../workqueue/index.js';
import type { ReconcileResult } from './controller-options.js';
import { ReconcileError } from './reconcile-error.js';
import { type ReconcileRequest, requestOfKey } from './request.js';
import { TerminalError } from './terminal-error.js';

/** As controller-runtime calls them; nothing here asks for `requeue`. */
export type ReconcileResultLabel = 'success' | 'error' | 'requeue' | 'requeue_after';

/** What metrics are made of. */
export interface ReconcileObserver {
  /** What is ended by the loop's own end is not told. */
  ended(result: ReconcileResultLabel, milliseconds: number): void;
  /** An error that is not tried again, told beside its end. */
  gaveUp(): void;
  timedOut(): void;
}

export interface ReconcileLoopOptions {
  readonly name: string;
  /** Of the loop alone from now on; it is shut down when the loop stops. */
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
 * Reconciles what is in the queue until the signal fires: then nothing new is begun, and it resolves when what is under way has ended.
 * Nothing that a reconcile throws gets out of here.
 */
export async function runReconcileLoop(options: ReconcileLoopOptions, signal: AbortSignal): Promise<void> {
  const { queue, concurrency } = options;
  const stop = () => queue.shutDown();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    // Each worker listens to a signal of its own: Node takes many listeners of one for a leak.
    await Promise.all(Array.from({ length: concurrency }, () => work(options, AbortSignal.any([signal]))));
  } finally {
    signal.removeEventListener('abort', stop);
  }
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
  const startedAt = clock.now();
  const ended = (result: ReconcileResultLabel) => observer?.ended(result, clock.now() - startedAt);
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

/** A wrong delay must not become a loop without any. */
function requeueDelay(result: ReconcileResult | void): number | undefined {
  if (typeof result !== 'object') return undefined;
  const { requeueAfter: delay } = result;
  if (!(delay >= 0)) throw new RangeError(`requeueAfter must be a number of milliseconds, 0 or more, and is ${delay}`);
  // A turn of the event loop at least, so that others get theirs.
  return Math.max(1, delay);
}

/** Whether this is but the signal, handed on by what was waited for. */
function isStop(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.cause === reason));
}

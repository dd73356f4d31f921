import { type Clock, Deadline } from '../clock/index.js';
import type { WorkQueue } from '../workqueue/index.js';
import type { ReconcileResult } from './controller-options.js';
import { ReconcileError } from './reconcile-error.js';
import { type ReconcileRequest, requestOfKey } from './request.js';
import { TerminalError } from './terminal-error.js';

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
    await Promise.all(Array.from({ length: concurrency }, () => work(options, signal)));
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
  const { name, queue, report } = options;
  const request = requestOfKey(key);
  try {
    const delay = requeueDelay(await reconcile(options, request, signal));
    queue.forget(key);
    if (delay !== undefined) queue.addAfter(key, delay);
  } catch (error) {
    if (isStop(error, signal)) return;
    const willRetry = !(error instanceof TerminalError);
    const failures = queue.retries(key) + 1;
    if (willRetry) queue.addRateLimited(key);
    else queue.forget(key);
    report(new ReconcileError(name, request, { cause: error, failures, willRetry }));
  }
}

async function reconcile(
  { reconcile, timeout, clock, name }: ReconcileLoopOptions,
  request: ReconcileRequest,
  signal: AbortSignal,
): Promise<ReconcileResult | void> {
  if (timeout === undefined) return reconcile(request, signal);
  using deadline = new Deadline(clock, timeout, signal, `controller ${name}`);
  return await reconcile(request, deadline.signal);
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

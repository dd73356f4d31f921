import {
  Controller,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
} from '@binnacle/client/controller';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { Namespace } from '@binnacle/client/kinds/core/v1';
import { BucketLimiter, ExponentialLimiter, MaxOfLimiter } from '@binnacle/client/workqueue';
import type { ControlLoop, CreateLoop, LoopContext } from '../loop/index.js';
import { DeletionWatcher } from './deletion-watcher.js';
import { isTerminating, NamespaceDeleter } from './namespace-deleter.js';
import type { PassResult } from './pass-result.js';

/** Upstream: `--concurrent-namespace-syncs`. */
const CONCURRENCY = 10;

/** The time for other servers to observe the deletion and to store creates that they admitted before. Upstream: `namespaceDeletionGracePeriod`. */
const DELETION_GRACE_MILLISECONDS = 5000;

/** Upstream: the longest delay of `nsControllerRateLimiter`. */
const MAX_DELAY_MILLISECONDS = 60_000;

/** Upstream: kubernetes `pkg/controller/namespace`. */
export const createNamespaceLoop: CreateLoop = (context) => new NamespaceLoop(context);

class NamespaceLoop implements ControlLoop {
  readonly #context: LoopContext;
  readonly #deleter: NamespaceDeleter;
  readonly #watcher: DeletionWatcher;
  readonly #graceGiven = new Set<string>();

  constructor(context: LoopContext) {
    const { client, transport, clock, random, report } = context;
    this.#context = context;
    const discovery = new DiscoveryClient(transport);
    this.#deleter = new NamespaceDeleter({ client, discovery, clock, random, report });
    this.#watcher = new DeletionWatcher(client);
  }

  async run(signal: AbortSignal): Promise<void> {
    const controller = new Controller({
      for: Namespace,
      predicate: (change) =>
        isTerminating(change.object) &&
        (change.type !== 'update' || !isTerminating(change.before)) &&
        change.type !== 'delete',
      concurrency: CONCURRENCY,
      rateLimiter: (clock) =>
        new MaxOfLimiter<string>([
          new ExponentialLimiter({ maximum: MAX_DELAY_MILLISECONDS }),
          new BucketLimiter({ qps: 10, burst: 100 }, clock),
        ]),
      reconcile: (request, context) => this.#reconcile(request, context),
    });
    await controller.bind(this.#context).run(signal);
    await this.#watcher.ended();
  }

  async #reconcile(request: ReconcileRequest, { signal, enqueue }: ReconcileContext): Promise<ReconcileResult> {
    const { name } = request;
    if (!this.#context.isSoleServer && !this.#graceGiven.has(name)) {
      this.#graceGiven.add(name);
      return { requeueAfter: DELETION_GRACE_MILLISECONDS };
    }
    const result = await this.#deleter.delete(name, signal);
    if (result === undefined) {
      this.#graceGiven.delete(name);
      this.#watcher.stop(name);
      return undefined;
    }
    this.#watcher.watch(name, result.remaining, signal, () => enqueue(request));
    throwFailures(result);
    return { requeueAfter: requeueDelay(result) };
  }
}

function throwFailures({ contentFailures, discoveryFailure }: PassResult): void {
  const failures = discoveryFailure === undefined ? contentFailures : [discoveryFailure, ...contentFailures];
  if (failures.length === 0) return;
  throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
}

/** Milliseconds: half of the longest estimate. */
function requeueDelay({ remaining }: PassResult): number {
  const seconds = Math.max(...remaining.map(({ estimate }) => estimate));
  return (Math.floor(seconds / 2) + 1) * 1000;
}

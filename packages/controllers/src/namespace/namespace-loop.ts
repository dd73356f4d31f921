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
import { Departures } from './departures.js';
import { isWaiting } from './is-waiting.js';
import { NamespaceDeleter } from './namespace-deleter.js';
import type { Leftovers } from './remains.js';

/** How many namespaces are seen to at a time. Upstream: `--concurrent-namespace-syncs`. */
const CONCURRENCY = 10;

/** How long other servers may take to hear that a namespace is going, and to store what they had let in before. */
const SETTLING_MILLISECONDS = 5000;

/** What fails is tried again after a minute at most: there are few namespaces, and much in them. */
const LONGEST_DELAY_MILLISECONDS = 60_000;

/** Upstream: kubernetes `pkg/controller/namespace`. */
export const createNamespaceLoop: CreateLoop = (context) => new NamespaceLoop(context);

class NamespaceLoop implements ControlLoop {
  readonly #context: LoopContext;
  readonly #deleter: NamespaceDeleter;
  readonly #departures: Departures;
  readonly #settling = new Set<string>();

  constructor(context: LoopContext) {
    const { client, transport, clock, report } = context;
    this.#context = context;
    this.#deleter = new NamespaceDeleter({ client, discovery: new DiscoveryClient(transport), clock, report });
    this.#departures = new Departures(client);
  }

  async run(signal: AbortSignal): Promise<void> {
    const controller = new Controller({
      for: Namespace,
      predicate: (change) =>
        isWaiting(change.object) && (change.type !== 'update' || !isWaiting(change.before)) && change.type !== 'delete',
      concurrency: CONCURRENCY,
      rateLimiter: (clock) =>
        new MaxOfLimiter<string>([
          new ExponentialLimiter({ maximum: LONGEST_DELAY_MILLISECONDS }),
          new BucketLimiter({ qps: 10, burst: 100 }, clock),
        ]),
      reconcile: (request, context) => this.#reconcile(request, context),
    });
    await controller.bind(this.#context).run(signal);
    await this.#departures.ended();
  }

  async #reconcile(request: ReconcileRequest, { signal, enqueue }: ReconcileContext): Promise<ReconcileResult> {
    const { name } = request;
    if (!this.#context.isSoleServer && !this.#settling.has(name)) {
      this.#settling.add(name);
      return { requeueAfter: SETTLING_MILLISECONDS };
    }
    const leftovers = await this.#deleter.delete(name, signal);
    if (leftovers === undefined) {
      this.#settling.delete(name);
      this.#departures.forget(name);
      return undefined;
    }
    this.#departures.watch(name, leftovers.remains, signal, () => enqueue(request));
    throwFailures(leftovers);
    return { requeueAfter: waitFor(leftovers) };
  }
}

function throwFailures({ contentFailures, discoveryFailure }: Leftovers): void {
  const failures = discoveryFailure === undefined ? contentFailures : [discoveryFailure, ...contentFailures];
  if (failures.length === 0) return;
  throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
}

/** Milliseconds: half of what the slowest is given. */
function waitFor({ remains }: Leftovers): number {
  const seconds = Math.max(...remains.map(({ estimate }) => estimate));
  return (Math.floor(seconds / 2) + 1) * 1000;
}

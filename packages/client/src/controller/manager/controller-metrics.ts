import type { LabelValues, MetricFacts, MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { WorkQueueObserver } from '../../workqueue/index.js';
import type { ControllerObserver, RunningController } from '../controller-options.js';
import { queueFacts, reconcileFacts } from './metric-facts.js';
import type { ReconcileObserver, ReconcileResultLabel } from '../reconcile-loop.js';

const RESULTS: readonly ReconcileResultLabel[] = ['error', 'requeue', 'requeue_after', 'success'];

/** The metrics of all controllers of a registry. Create one for each registry. */
export class ControllerMetrics implements ControllerObserver {
  readonly #registry: MetricRegistry;
  readonly #families;
  /** By the controller's name. */
  readonly #running = new Map<string, RunningController>();

  constructor(registry: MetricRegistry) {
    this.#registry = registry;
    this.#families = {
      total: registry.numbers(reconcileFacts.total),
      errors: registry.numbers(reconcileFacts.errors),
      terminalErrors: registry.numbers(reconcileFacts.terminalErrors),
      timeouts: registry.numbers(reconcileFacts.timeouts),
      seconds: registry.histograms(reconcileFacts.seconds),
      adds: registry.numbers(queueFacts.adds),
      waited: registry.histograms(queueFacts.waited),
      worked: registry.histograms(queueFacts.worked),
      retries: registry.numbers(queueFacts.retries),
    };
    const ofController = (name: string) => [name] as const;
    const ofQueue = (name: string) => [name, name] as const;
    this.#read(reconcileFacts.concurrency, ofController, ({ concurrency }) => concurrency);
    this.#read(reconcileFacts.active, ofController, ({ queue }) => queue.unfinished.keys);
    this.#read(
      queueFacts.depth,
      (name) => [...ofQueue(name), ''] as const,
      ({ queue }) => queue.length,
    );
    this.#read(queueFacts.unfinished, ofQueue, ({ queue }) => queue.unfinished.total / 1000);
    this.#read(queueFacts.longest, ofQueue, ({ queue }) => queue.unfinished.longest / 1000);
  }

  /** Counts for the queue of a controller. The counters continue when the controller runs again. */
  queueObserver(name: string): WorkQueueObserver {
    const { adds, waited, worked, retries } = this.#families;
    const [added, wait, work, retried] = [
      adds.with(name, name),
      waited.with(name, name),
      worked.with(name, name),
      retries.with(name, name),
    ];
    return {
      added: () => void added.value++,
      started: (milliseconds) => wait.observe(milliseconds / 1000),
      finished: (milliseconds) => work.observe(milliseconds / 1000),
      retried: () => void retried.value++,
    };
  }

  /** Counts for the reconciles of a controller. */
  reconcileObserver(name: string): ReconcileObserver {
    const { total, errors, terminalErrors, timeouts, seconds } = this.#families;
    const results = new Map(RESULTS.map((result) => [result, total.with(name, result)]));
    const [failed, gaveUp, late, took] = [
      errors.with(name),
      terminalErrors.with(name),
      timeouts.with(name),
      seconds.with(name),
    ];
    return {
      ended: (result, milliseconds) => {
        const counted = results.get(result);
        if (counted !== undefined) counted.value++;
        if (result === 'error') failed.value++;
        took.observe(milliseconds / 1000);
      },
      gaveUp: () => void gaveUp.value++,
      timedOut: () => void late.value++,
    };
  }

  /** Reads gauges from the queue until disposed. */
  track(name: string, running: RunningController): Disposable {
    this.#running.set(name, running);
    return { [Symbol.dispose]: () => void this.#running.delete(name) };
  }

  #read<L extends readonly string[]>(
    facts: MetricFacts<L>,
    labels: (name: string) => LabelValues<L>,
    value: (running: RunningController) => number,
  ): void {
    this.#registry.readings(facts, () =>
      Array.from(this.#running, ([name, running]) => [labels(name), value(running)] as const),
    );
  }
}

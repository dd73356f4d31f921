import type { MetricFacts, MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { ControllerObserver, RunningController } from '@binnacle/client/controller';
import type { WorkQueueObserver } from '@binnacle/client/workqueue';
import { queueFacts } from './metric-facts.js';

/** The metrics of all queues of a manager. There is a series for each queue, whatever its keys are. */
export class QueueMetrics implements ControllerObserver {
  readonly #families;
  /** With their names. Two loops may share a name. */
  readonly #running = new Map<RunningController, string>();

  constructor(registry: MetricRegistry) {
    this.#families = {
      adds: registry.numbers(queueFacts.adds),
      waited: registry.histograms(queueFacts.waited),
      worked: registry.histograms(queueFacts.worked),
      retries: registry.numbers(queueFacts.retries),
    };
    const sum = (a: number, b: number) => a + b;
    this.#read(registry, queueFacts.depth, ({ queue }) => queue.length, sum);
    this.#read(registry, queueFacts.unfinished, ({ queue }) => queue.unfinished.total / 1000, sum);
    this.#read(registry, queueFacts.longest, ({ queue }) => queue.unfinished.longest / 1000, Math.max);
  }

  queueObserver(name: string): WorkQueueObserver {
    const { adds, waited, worked, retries } = this.#families;
    const [added, wait, work, retried] = [adds.with(name), waited.with(name), worked.with(name), retries.with(name)];
    return {
      added: () => void added.value++,
      started: (milliseconds) => wait.observe(milliseconds / 1000),
      finished: (milliseconds) => work.observe(milliseconds / 1000),
      retried: () => void retried.value++,
    };
  }

  track(name: string, running: RunningController): Disposable {
    this.#running.set(running, name);
    return { [Symbol.dispose]: () => void this.#running.delete(running) };
  }

  #read(
    registry: MetricRegistry,
    facts: MetricFacts<readonly ['name']>,
    valueOf: (running: RunningController) => number,
    join: (a: number, b: number) => number,
  ): void {
    registry.readings(facts, () => {
      const values = new Map<string, number>();
      for (const [running, name] of this.#running) {
        const before = values.get(name);
        values.set(name, before === undefined ? valueOf(running) : join(before, valueOf(running)));
      }
      return Array.from(values, ([name, value]) => [[name], value] as const);
    });
  }
}

import { constants, PerformanceObserver } from 'node:perf_hooks';

/** The memory that the process holds permanently, measured after each full garbage collection. */
export class LiveMemory implements Disposable {
  readonly #observer: PerformanceObserver;
  readonly #underWay: () => number;
  #bytes: number;

  /** `underWay`: bytes held temporarily by requests. */
  constructor(underWay: () => number) {
    this.#underWay = underWay;
    const { heapUsed, external } = process.memoryUsage();
    this.#bytes = heapUsed + external;
    this.#observer = new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries()) {
        const kind = (detail as { kind?: number } | undefined)?.kind;
        if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) this.#bytes = this.#measured();
      }
    });
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** Bytes. Before the first full collection, the size at the start. */
  get bytes(): number {
    return this.#bytes;
  }

  [Symbol.dispose](): void {
    this.#observer.disconnect();
  }

  #measured(): number {
    const { heapUsed, external } = process.memoryUsage();
    return Math.max(0, heapUsed + external - this.#underWay());
  }
}

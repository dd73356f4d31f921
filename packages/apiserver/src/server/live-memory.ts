import { constants, PerformanceObserver } from 'node:perf_hooks';

/** What the process holds for good, measured when all garbage has just been collected. */
export class LiveMemory implements Disposable {
  readonly #observer: PerformanceObserver;
  readonly #underWay: () => number;
  #bytes: number;

  /** `underWay`: bytes that requests hold for now. */
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

  /** Bytes. Until the first full collection, those of the start. */
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

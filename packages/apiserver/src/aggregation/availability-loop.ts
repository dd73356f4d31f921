import { type Clock, repeat } from '@binnacle/apimachinery/clock';
import { Follower, WorkQueue } from '../loops/index.js';
import { ENDPOINT_SLICES, SERVICES, type Stores } from '../registry/index.js';
import type { AvailabilityCheck } from './availability-check.js';
import type { RegisteredService } from './registered-service.js';
import type { ServiceWriter } from './service-writer.js';

export interface AvailabilityLoopOptions {
  readonly stores: Pick<Stores, 'find'>;
  readonly check: Pick<AvailabilityCheck, 'judge'>;
  readonly writer: Pick<ServiceWriter, 'setAvailability'>;
  readonly find: (name: string) => RegisteredService | undefined;
  readonly all: () => Iterable<RegisteredService>;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/** Upstream: the resync period of its controller. */
const RECHECK_MS = 30_000;
const WORKERS = 5;

/**
 * Keeps the condition `Available` of APIServices with a backend: after a change of the APIService, of its service or of
 * its endpoints, and from time to time. It starts with the first such APIService.
 */
export class AvailabilityLoop {
  readonly #options: AvailabilityLoopOptions;
  readonly #queue: WorkQueue;
  readonly #followers: Follower[] = [];
  #recheck: Disposable | undefined;
  #stopped = false;

  constructor(options: AvailabilityLoopOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      work: (name) => this.#reconcile(name),
      report: (error) => {
        if (!(error instanceof UnavailableError)) options.report(error);
      },
      clock: options.clock,
      workers: WORKERS,
    });
  }

  /** An APIService has changed or is gone. */
  changed(name: string): void {
    if (this.#recheck === undefined && !this.#stopped) this.#begin();
    this.#queue.add(name);
  }

  stop(): void {
    this.#stopped = true;
    this.#queue.stop();
    this.#recheck?.[Symbol.dispose]();
    for (const follower of this.#followers) follower.stop();
  }

  #begin(): void {
    const { clock, all } = this.#options;
    this.#recheck = repeat(clock, RECHECK_MS, () => {
      for (const { name, backend } of all()) if (backend !== undefined) this.#queue.add(name);
    });
    this.#follow(SERVICES, (key) => this.#serviceChanged(key));
    // The key of a slice does not name its service.
    this.#follow(ENDPOINT_SLICES, (key) => this.#namespaceChanged(key));
  }

  #follow(resource: typeof SERVICES | typeof ENDPOINT_SLICES, changed: (key: string) => void): void {
    const { stores, clock, report } = this.#options;
    const reader = stores.find(resource)?.reader;
    if (reader === undefined) return;
    const follower = new Follower({ reader, clock, report, changed });
    this.#followers.push(follower);
    follower.start().catch(report);
  }

  #serviceChanged(key: string): void {
    const [namespace, name] = key.split('/').slice(-2);
    this.#enqueue((backend) => backend.namespace === namespace && backend.name === name);
  }

  #namespaceChanged(key: string): void {
    const namespace = key.split('/').at(-2);
    this.#enqueue((backend) => backend.namespace === namespace);
  }

  #enqueue(isOf: (backend: NonNullable<RegisteredService['backend']>) => boolean): void {
    for (const { name, backend } of this.#options.all()) {
      if (backend !== undefined && isOf(backend)) this.#queue.add(name);
    }
  }

  async #reconcile(name: string): Promise<void> {
    const { find, check, writer } = this.#options;
    const service = find(name);
    if (service?.backend === undefined) return;
    const availability = await check.judge(service, service.backend);
    await writer.setAvailability(service, availability);
    // The queue checks a failed backend again soon.
    if (availability.reason === 'FailedDiscoveryCheck') throw new UnavailableError(availability.message);
  }
}

class UnavailableError extends Error {}

import { type BatchOptions, BatchQueue, type BatchTarget } from '@binnacle/apimachinery/batching';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { AuditEvent } from './event.js';
import type { AuditSink } from './sink.js';

/** Collects events into batches, so that no request waits for them. Upstream: apiserver `plugin/pkg/audit/buffered`. */
export class BatchingSink implements AuditSink {
  readonly #queue: BatchQueue<AuditEvent>;

  /** `lost` is called with the number of lost events. Must not throw. */
  constructor(
    options: BatchOptions,
    target: BatchTarget<AuditEvent>,
    clock: Clock,
    lost: (error: unknown, events: number) => void,
  ) {
    const sizeOf = ({ json }: AuditEvent): number => json.length;
    this.#queue = new BatchQueue(options, { target, clock, lost, sizeOf, full: 'audit buffer queue blocked' });
  }

  take(event: AuditEvent): Promise<boolean> {
    this.#queue.add(event);
    return Promise.resolve(true);
  }

  backlog(): undefined {
    return undefined;
  }

  /** Sends the rest without regard to the throttle. */
  close(withinMs?: number): Promise<void> {
    return this.#queue.close(withinMs);
  }
}

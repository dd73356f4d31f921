import type { Job } from '@binnacle/client/kinds/batch/v1';
import { BATCH_MILLISECONDS } from './plan-pods.js';

interface Known {
  readonly version: string;
  /** When the Job is due again. */
  dueAt: number | undefined;
}

/**
 * When Jobs are reconciled: at once after a change of their spec, and a second after the first of all other events. So
 * many pods that end together take one write of the status. Upstream: `enqueueSyncJobBatched`.
 */
export class Batching {
  /** By `namespace/name`. */
  readonly #known = new Map<string, Known>();

  /** Milliseconds until the Job is due, or 0: then the caller reconciles it. */
  delayOf(key: string, { metadata }: Job, now: number): number {
    const version = `${metadata.uid ?? ''}/${metadata.generation ?? 0}`;
    const known = this.#known.get(key);
    if (known === undefined || known.version !== version) {
      this.#known.set(key, { version, dueAt: undefined });
      return 0;
    }
    const { dueAt = Infinity } = known;
    if (now >= dueAt) {
      known.dueAt = undefined;
      return 0;
    }
    known.dueAt = Math.min(dueAt, now + BATCH_MILLISECONDS);
    return known.dueAt - now;
  }

  /** The Job is due then at the latest. */
  schedule(key: string, dueAt: number): void {
    const known = this.#known.get(key);
    if (known !== undefined) known.dueAt = Math.min(known.dueAt ?? Infinity, dueAt);
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

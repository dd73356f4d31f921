import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type EventBatch, type KV, KVError } from '../interface/index.js';

/** Everything a watch received; `error` once it has ended. */
export class RecordedWatch {
  readonly batches: EventBatch[] = [];
  error: Error | undefined;
  readonly #abort = new AbortController();

  constructor(kv: KV, prefix: string, fromRevision: number) {
    const batch = (given: EventBatch): void => {
      this.batches.push(given);
    };
    const ended = (error: Error): void => {
      this.error = error;
    };
    kv.watch({ prefix, fromRevision }, { batch, progress: () => undefined, ended }, this.#abort.signal);
  }

  get revisions(): number[] {
    return this.batches.map(({ revision }) => revision);
  }

  get code(): string | undefined {
    return this.error instanceof KVError ? this.error.code : this.error?.message;
  }

  stop(): void {
    this.#abort.abort();
  }
}

/** Generous, for machines that are busy. */
const LIMIT_MILLISECONDS = 120_000;

/** Polls until done; throws after a timeout. */
export async function until(done: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + LIMIT_MILLISECONDS; !done(); ) {
    assert.ok(Date.now() < deadline, `${what}: not within ${LIMIT_MILLISECONDS} ms`);
    await delay(10);
  }
}

/** Creates keys until stopped; knows which writes were acknowledged, and which may have happened. */
export class Writer {
  readonly acknowledged = new Map<string, number>();
  readonly unknown = new Set<string>();
  stopped = false;
  readonly #kv: KV;
  readonly #name: string;

  constructor(kv: KV, name: string) {
    this.#kv = kv;
    this.#name = name;
  }

  async run(): Promise<void> {
    for (let count = 0; !this.stopped; count += 1) {
      const key = `/f/${this.#name}/${count}`;
      try {
        const operation = { type: 'put', value: Buffer.from(key) } as const;
        const result = await this.#kv.txn({ key, expectedRevision: 0, operation });
        assert.ok(result.succeeded, `${key} was written before`);
        this.acknowledged.set(key, result.revision);
      } catch (error) {
        assert.ok(error instanceof KVError && error.code === 'unavailable', String(error));
        this.unknown.add(key);
      }
    }
  }
}

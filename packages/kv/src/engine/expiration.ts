import type { Clock, Timer } from '@binnacle/apimachinery/clock';
import type { Backend } from './backend.js';
import type { EngineOptions } from './options.js';
import type { Writer } from './writer.js';

const KEYS_PER_SLICE = 256;
const LONGEST_TIMER_MILLISECONDS = 3_600_000;
const RETRY_MILLISECONDS = 1000;

/**
 * Deletes expired keys through the writer, like any other delete. Runs on a timer, and also whenever the store is used
 * after the next deadline, so that a late timer does not show an expired key.
 */
export class Expiration {
  readonly #backend: Backend;
  readonly #writer: Writer;
  readonly #clock: Clock;
  readonly #now: () => number;
  #next: number;
  #sweeping = false;
  #stopped = false;
  #timer: Timer | undefined;

  constructor(backend: Backend, writer: Writer, { clock, now }: Pick<EngineOptions, 'clock' | 'now'>) {
    this.#backend = backend;
    this.#writer = writer;
    this.#clock = clock;
    this.#now = now;
    this.#next = this.#earliest();
    this.#arm();
  }

  /** Records that a key expires at this time. */
  schedule(expiresAt: number): void {
    if (expiresAt >= this.#next) return;
    this.#next = expiresAt;
    this.#arm();
  }

  /** Queues the due deletes ahead of all writes that are queued after this call. Does not wait. */
  check(): void {
    if (this.#sweeping || this.#stopped || this.#now() < this.#next) return;
    this.#sweeping = true;
    this.#sweep()
      .catch(() => {
        this.#next = this.#now() + RETRY_MILLISECONDS;
      })
      .finally(() => {
        this.#sweeping = false;
        this.#arm();
      });
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.[Symbol.dispose]();
  }

  async #sweep(): Promise<void> {
    while (!this.#stopped) {
      const due = this.#backend.expiring(this.#now(), KEYS_PER_SLICE);
      if (due.length === 0) break;
      const results = await Promise.all(
        due.map(({ key, revision }) =>
          this.#writer.transact({
            key,
            expectedRevision: revision,
            operation: { type: 'delete', ignoreReadError: true },
          }),
        ),
      );
      // Other writers may have changed some of these keys. If they changed all of them, retry later.
      if (!results.some(({ succeeded }) => succeeded)) throw new Error('nothing expired');
    }
    if (!this.#stopped) this.#next = this.#earliest();
  }

  #earliest(): number {
    return this.#backend.expiring(Number.MAX_SAFE_INTEGER, 1)[0]?.expiresAt ?? Number.POSITIVE_INFINITY;
  }

  #arm(): void {
    this.#timer?.[Symbol.dispose]();
    if (this.#stopped || this.#next === Number.POSITIVE_INFINITY) return;
    const delay = Math.min(Math.max(this.#next - this.#now(), 1), LONGEST_TIMER_MILLISECONDS);
    const due = (): void => {
      this.check();
      if (!this.#sweeping) this.#arm();
    };
    this.#timer = this.#clock.setTimer(due, delay).unref();
  }
}

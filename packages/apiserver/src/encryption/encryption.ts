import { Backoff, type Clock, sleep, type Timer } from '@binnacle/apimachinery/clock';
import { ConfigurationError } from '@binnacle/apimachinery/configuration';
import { messageOf } from '@binnacle/apimachinery/errors';
import { formatGroupResource, type GroupResource } from '@binnacle/apimachinery/meta';
import type { KV } from '@binnacle/kv';
import type { HealthCheck } from '../health/index.js';
import { EncryptedStore } from './encrypted-store.js';
import { LoadedConfiguration } from './loaded-configuration.js';
import { type EncryptionObserver, hashOf } from './observer.js';
import type { ResourceTransformer } from './resource-transformers.js';

/** How often the file is read. After a failure, the same text is tried again less and less often. */
const PERIOD_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;
/** How long the key services of a changed file may take to become healthy, at least. Upstream: `minKMSPluginCloseGracePeriod`. */
const HEALTHY_WITHIN_MS = 10_000;
const CHECKED_EVERY_MS = 100;
/** A former configuration is closed after this many times the longest check, when no call still uses it. */
const CLOSED_AFTER_CHECKS = 2;

export interface EncryptionOptions {
  /** Reads the text of the configuration. */
  readonly read: () => Promise<string>;
  /** Whether it is read again when it changes. */
  readonly reloads: boolean;
  readonly clock: Clock;
  readonly observer: EncryptionObserver;
  /** Receives what goes wrong while the server runs, in words and as an error. */
  readonly report: (what: string, error: unknown) => void;
}

/**
 * Encryption of stored values by the configuration of a file. When a changed file is wrong, or its key services do not become
 * healthy, the former configuration stays. Dispose it after the stores that it has made are no longer used. Upstream:
 * apiserver `pkg/server/options/encryptionconfig`.
 */
export class Encryption implements Disposable {
  readonly #options: EncryptionOptions;
  readonly #ended = new AbortController();
  readonly #backoff = new Backoff({ initial: PERIOD_MS, maximum: LONGEST_PAUSE_MS });
  #current: LoadedConfiguration;
  /** Former configurations that calls may still use. */
  readonly #closing = new Map<LoadedConfiguration, Timer>();
  #reported: string | undefined;

  private constructor(options: EncryptionOptions, current: LoadedConfiguration) {
    this.#options = options;
    this.#current = current;
    options.observer.configured(current.hash);
    if (options.reloads) void this.#follow();
  }

  /** Rejects when the file cannot be read or is wrong. */
  static async open(options: EncryptionOptions): Promise<Encryption> {
    return new Encryption(options, await load(await options.read(), options));
  }

  /** The store of one resource, on top of the store of all. */
  storeOf(resource: GroupResource, kv: KV): KV {
    let configuration = this.#current;
    let known = configuration.transformers.of(resource);
    const transformer = (): ResourceTransformer => {
      if (configuration !== this.#current) {
        configuration = this.#current;
        known = configuration.transformers.of(resource);
      }
      return known;
    };
    return new EncryptedStore({ kv, resource: formatGroupResource(resource), transformer });
  }

  /** The check of the key services, if there may be any. */
  get healthChecks(): readonly HealthCheck[] {
    if (!this.#options.reloads && !this.#current.usesKeyServices) return [];
    return [{ name: 'kms-providers', roots: ['healthz', 'readyz'], check: () => this.#current.check() }];
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    for (const [configuration, timer] of this.#closing) {
      timer[Symbol.dispose]();
      configuration[Symbol.dispose]();
    }
    this.#current[Symbol.dispose]();
  }

  async #follow(): Promise<void> {
    const { clock, observer, report } = this.#options;
    const { signal } = this.#ended;
    let pause = PERIOD_MS;
    while (!signal.aborted) {
      await sleep(clock, pause, signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        if (await this.#reload()) observer.reloaded('success');
        this.#backoff.reset();
        this.#reported = undefined;
        pause = PERIOD_MS;
      } catch (error) {
        if (signal.aborted) return;
        observer.reloaded('failure');
        const reason = messageOf(error);
        if (reason !== this.#reported) report('The changed file is not used', error);
        this.#reported = reason;
        pause = this.#backoff.next();
      }
    }
  }

  /** Returns whether the file has changed. */
  async #reload(): Promise<boolean> {
    const text = await this.#options.read();
    if (hashOf(text) === this.#current.hash) return false;
    const next = await load(text, this.#options);
    try {
      await this.#becomesHealthy(next);
      this.#ended.signal.throwIfAborted();
    } catch (error) {
      next[Symbol.dispose]();
      throw error;
    }
    const former = this.#current;
    this.#current = next;
    this.#options.observer.configured(next.hash);
    this.#closeLater(former);
    return true;
  }

  async #becomesHealthy(next: LoadedConfiguration): Promise<void> {
    const { clock } = this.#options;
    const last = clock.monotonic() + Math.max(HEALTHY_WITHIN_MS, next.checkMs * CLOSED_AFTER_CHECKS);
    for (;;) {
      try {
        await next.check();
        return;
      } catch (error) {
        if (clock.monotonic() >= last) throw error;
      }
      await sleep(clock, CHECKED_EVERY_MS, this.#ended.signal);
    }
  }

  #closeLater(former: LoadedConfiguration): void {
    const close = (): void => {
      this.#closing.delete(former);
      former[Symbol.dispose]();
    };
    const timer = this.#options.clock.setTimer(close, former.checkMs * CLOSED_AFTER_CHECKS).unref();
    this.#closing.set(former, timer);
  }
}

async function load(
  text: string,
  { reloads, clock, observer, report }: EncryptionOptions,
): Promise<LoadedConfiguration> {
  if (text === '') throw new ConfigurationError('the file is empty');
  const failed = (error: unknown): void => report('A key service is not healthy', error);
  return LoadedConfiguration.load(text, { reloads, clock, observer, failed });
}

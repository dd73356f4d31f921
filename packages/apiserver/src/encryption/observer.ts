import { createHash } from 'node:crypto';
import { LruMap } from '@binnacle/apimachinery/caches';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { KmsObserver } from '../kms/index.js';
import { encryptionFacts, type EncryptionMetrics, encryptionMetrics } from './metrics.js';
import type { TransformationObserver, TransformationType } from '../transformers/index.js';

/** Ids of keys that are counted. Upstream: `cacheSize` of apiserver `pkg/storage/value/encrypt/envelope/metrics`. */
const MOST_KEY_IDS = 100;

interface KeyUse {
  readonly labels: readonly [type: string, provider: string, keyId: string, server: string];
  count: number;
  /** Seconds since the epoch. */
  at: number;
}

interface KeyReport {
  readonly labels: readonly [provider: string, keyId: string, server: string];
  at: number;
}

/** Counts what encryption does, under upstream's names. Key ids appear as hashes, and only the latest ones. */
export class EncryptionObserver implements TransformationObserver, KmsObserver {
  readonly #metrics: EncryptionMetrics;
  readonly #clock: Clock;
  /** The hash of the server's name. */
  readonly #server: string;
  readonly #uses = new LruMap<string, KeyUse>(MOST_KEY_IDS);
  readonly #reports = new LruMap<string, KeyReport>(MOST_KEY_IDS);
  #configuration: string | undefined;

  /** `server`: its name among those that share the store. */
  constructor(registry: MetricRegistry, clock: Clock, server: string) {
    this.#metrics = encryptionMetrics(registry);
    this.#clock = clock;
    this.#server = hashOf(server);
    registry.readings(encryptionFacts.keyUses, () => Array.from(this.#uses.values(), (use) => [use.labels, use.count]));
    registry.readings(encryptionFacts.keyUseTimes, () =>
      Array.from(this.#uses.values(), (use) => [use.labels, use.at]),
    );
    registry.readings(encryptionFacts.keyStatusTimes, () =>
      Array.from(this.#reports.values(), (report) => [report.labels, report.at]),
    );
    registry.readings(encryptionFacts.configuration, () =>
      this.#configuration === undefined ? [] : [[[this.#server, this.#configuration], 1]],
    );
  }

  /** This configuration, named by its hash, is in use. */
  configured(hash: string): void {
    this.#configuration = hash;
  }

  /** The changed file was loaded, or refused. */
  reloaded(status: 'success' | 'failure'): void {
    this.#metrics.reloads.with(status, this.#server).value++;
    this.#metrics.reloadTimes.with(status, this.#server).value = this.#now();
  }

  transformed(resource: string, type: TransformationType, prefix: string, status: string, seconds: number): void {
    this.#metrics.operations.with(resource, type, prefix, status).value++;
    if (status === 'OK') this.#metrics.durations.with(type, prefix).observe(seconds);
  }

  called(provider: string, method: string, status: string, seconds: number): void {
    this.#metrics.calls.with(provider, method, status).observe(seconds);
  }

  keyUsed(provider: string, type: TransformationType, keyId: string): void {
    const name = JSON.stringify([provider, type, keyId]);
    let use = this.#uses.get(name);
    if (use === undefined) {
      use = { labels: [type, provider, hashOf(keyId), this.#server], count: 0, at: 0 };
      this.#uses.set(name, use);
    }
    use.count++;
    use.at = this.#now();
  }

  keyReported(provider: string, keyId: string): void {
    const labels = [provider, hashOf(keyId), this.#server] as const;
    this.#reports.set(JSON.stringify([provider, keyId]), { labels, at: this.#now() });
  }

  invalidKeyId(provider: string, code: string): void {
    this.#metrics.invalidKeys.with(provider, code).value++;
  }

  cacheMissed(): void {
    this.#metrics.cacheMisses.with().value++;
  }

  cachedKeys(provider: string, count: number): void {
    this.#metrics.cachedKeys.with(provider).value = count;
  }

  keyGenerated(seconds: number): void {
    this.#metrics.keyGenerations.with().observe(seconds);
  }

  #now(): number {
    return this.#clock.now() / 1000;
  }
}

/** The label with which upstream names a text without showing it. */
export function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

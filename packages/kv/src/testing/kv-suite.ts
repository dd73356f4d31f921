import { describe } from 'node:test';
import type { KV } from '../interface/index.js';
import { concurrencyTests } from './concurrency-tests.js';
import { expirationTests } from './expiration-tests.js';
import { historyTests } from './history-tests.js';
import { lifecycleTests } from './lifecycle-tests.js';
import { rangeTests } from './range-tests.js';
import { readerTests } from './reader-tests.js';
import { tagTests } from './tag-tests.js';
import { txnTests } from './txn-tests.js';
import { watchTests } from './watch-tests.js';

/** Opens an empty store, or one without other active users. The suite closes it. */
export type OpenKV = (options: { readonly now: () => number }) => Promise<KV> | KV;

export interface KVSuiteFeatures {
  /** Keys expire by the `now` passed to `open`. Default: true. */
  readonly manualClock?: boolean;
  /**
   * The store is in-process: it delivers before a `txn` resolves, reports `progress` after every commit, and a read
   * shows the state at the time of the call. Default: true.
   */
  readonly local?: boolean;
  /** The store returns the tag with the value. Default: true. */
  readonly tags?: boolean;
}

/** Declares the tests of the whole contract for one store. */
export function kvSuite(name: string, open: OpenKV, features: KVSuiteFeatures = {}): void {
  const { manualClock = true, local = true, tags = true } = features;
  describe(name, { timeout: 60_000 }, () => {
    describe('txn', () => txnTests(open));
    describe('tags', () => tagTests(open, tags));
    describe('range', () => rangeTests(open, local));
    describe('history and compaction', () => historyTests(open, local));
    describe('watch', () => watchTests(open, local));
    describe('concurrency', () => concurrencyTests(open, local));
    if (local) describe('readers of values', () => readerTests(open));
    if (manualClock) describe('expiration', () => expirationTests(open));
    describe('lifecycle', () => lifecycleTests(open));
  });
}

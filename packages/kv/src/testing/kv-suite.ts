import { describe } from 'node:test';
import { authorTests } from './author-tests.js';
import { concurrencyTests } from './concurrency-tests.js';
import { expirationTests } from './expiration-tests.js';
import { forkTests } from './fork-tests.js';
import { forgettingTests } from './forgetting-tests.js';
import { historyTests } from './history-tests.js';
import type { KVSuiteFeatures, OpenKV } from './kv-under-test.js';
import { lifecycleTests } from './lifecycle-tests.js';
import { noteTests } from './note-tests.js';
import { rangeTests } from './range-tests.js';
import { readerTests } from './reader-tests.js';
import { tagTests } from './tag-tests.js';
import { txnTests } from './txn-tests.js';
import { watchTests } from './watch-tests.js';

/** Declares the tests of the whole contract for one store. */
export function kvSuite(name: string, open: OpenKV, features: KVSuiteFeatures = {}): void {
  const { manualClock = true, local = true, tags = true, history = local, inProcess = local } = features;
  describe(name, { timeout: 600_000 }, () => {
    describe('txn', () => txnTests(open));
    describe('tags', () => tagTests(open, tags));
    describe('range', () => rangeTests(open, local));
    describe('history and compaction', () => historyTests(open, local));
    describe('watch', () => watchTests(open, local));
    describe('concurrency', () => concurrencyTests(open, local));
    if (inProcess) describe('readers of values', () => readerTests(open));
    if (inProcess) describe('forgotten values', () => forgettingTests(open));
    if (inProcess) describe('notes', () => noteTests(open));
    if (history) describe('authors', () => authorTests(open, inProcess));
    if (inProcess) describe('forks and snapshots', () => forkTests(open));
    if (manualClock) describe('expiration', () => expirationTests(open));
    describe('lifecycle', () => lifecycleTests(open));
  });
}

/** Breaks one piece of production code at a time. A seed must find it, and all seeds must pass without it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulate } from '@binnacle/simulation';
import { ObjectStorage } from '../../packages/apiserver/dist/storage/storage.js';
import { AnswerQueue } from '../../packages/apiserver/dist/http/answer-queue.js';
import { Indexer } from '../../packages/client/dist/cache/indexer.js';
import { Expectations } from '../../packages/controllers/dist/common/writes/expectations.js';
import { scenarioOfSeed } from './scenario-of-seed.mjs';

const SEEDS = [1, 2, 3, 4];

/** Stale caches and lost races, but no lost answers, which allow more. */
const faults = { watchDelay: 500, conflicts: 0.05 };

/** The failure of the first seed that finds the bug. */
async function firstFailure() {
  for (const seed of SEEDS) {
    const { failure } = await simulate({ seed, scenario: { ...scenarioOfSeed(seed), faults } });
    if (failure !== undefined) return { seed, ...failure };
  }
  return undefined;
}

const originalOf = (type, method) => Object.getOwnPropertyDescriptor(type.prototype, method).value;

const BUGS = {
  'the server forgets a deletion at the next write': {
    plant: (context) => {
      const update = originalOf(ObjectStorage, 'update');
      const deleted = new Set();
      context.mock.method(ObjectStorage.prototype, 'update', function forgetful(key, suggestion, decide) {
        return update.call(this, key, suggestion, async (base) => {
          const change = await decide(base);
          const { deletionTimestamp, ...metadata } = change.object?.metadata ?? {};
          if (deletionTimestamp === undefined || !key.includes('/pods/')) return change;
          if (deleted.has(metadata.uid)) return { ...change, object: { ...change.object, metadata } };
          deleted.add(metadata.uid);
          return change;
        });
      });
    },
    found: /^identity: Pod \S+ is no longer being deleted/,
  },
  'a watch loses an event now and then': {
    plant: (context) => {
      const write = originalOf(AnswerQueue, 'write');
      let events = 0;
      context.mock.method(AnswerQueue.prototype, 'write', function lossy(chunk) {
        const isEvent = Buffer.from(chunk).includes('"type":"MODIFIED"');
        return isEvent && ++events % 10 === 0 ? true : write.call(this, chunk);
      });
    },
    found: /./,
  },
  'an informer of the client keeps the old version of an object': {
    plant: (context) => {
      const set = originalOf(Indexer, 'set');
      context.mock.method(Indexer.prototype, 'set', function keeping(object) {
        const key = `${object.metadata.namespace}/${object.metadata.name}`;
        return key === 'default/web' && this.get(key) !== undefined ? this.get(key) : set.call(this, object);
      });
    },
    found: /^settled: /,
  },
  'a controller does not wait for its own writes': {
    plant: (context) => context.mock.method(Expectations.prototype, 'remainingWait', () => 0),
    found: /^replica-counts: ReplicaSet \S+ has \d+ pods, and wants \d+/,
  },
};

describe('a planted bug is found by a seed', { timeout: 600_000 }, () => {
  it('but without it all seeds pass', async () => {
    assert.equal(await firstFailure(), undefined);
  });

  for (const [bug, { plant, found }] of Object.entries(BUGS)) {
    it(bug, async (context) => {
      plant(context);
      const failure = await firstFailure();
      assert.ok(failure !== undefined, 'no seed has found it');
      context.diagnostic(`seed ${failure.seed}, event #${failure.step}: ${failure.where}: ${failure.message}`);
      assert.match(`${failure.where}: ${failure.message}`, found);
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { FreshnessWaiters } from './freshness.js';

interface Setup {
  readonly remote?: boolean;
  /** Whether the store can report its progress. */
  readonly trusted?: boolean;
  readonly held?: boolean;
}

function waitersAt(revision: number, { remote = false, trusted = true, held = false }: Setup = {}) {
  const cache = { revision, asked: 0, trusted, waits: [] as number[] };
  const requestProgress = (): boolean => {
    cache.asked++;
    return cache.trusted;
  };
  const clock = new VirtualClock();
  const waiters = new FreshnessWaiters({
    clock,
    storage: { isRemote: remote, requestProgress },
    revision: () => cache.revision,
    isHeld: () => held,
    waited: (milliseconds) => cache.waits.push(milliseconds),
  });
  return { cache, waiters, clock };
}

describe('FreshnessWaiters', () => {
  it('answers at once for a revision that the cache has', () => {
    const { cache, waiters } = waitersAt(5, { remote: true, held: true });
    assert.equal(waiters.waitFor(5, 1000), 'reached');
    assert.deepEqual(cache, { revision: 5, asked: 0, trusted: true, waits: [0] });
  });

  it('waits for a later one, but not after the timeout', async () => {
    const { cache, waiters, clock } = waitersAt(5);
    const [six, seven, eight] = [6, 7, 8].map((revision) => waiters.waitFor(revision, 1000));
    cache.revision = 7;
    waiters.reached();
    assert.equal(await six, 'reached');
    assert.equal(await seven, 'reached');
    await clock.advance(1000);
    assert.equal(await eight, 'late');
    assert.deepEqual(cache.waits, [0, 0, 1000]);
  });

  it('cannot know about a feed that is held back, or lost, or a store without progress', async () => {
    assert.equal(waitersAt(5, { held: true }).waiters.waitFor(6, 1000), 'unknown');
    assert.equal(await waitersAt(5, { remote: true, trusted: false }).waiters.waitFor(6, 1000), 'unknown');
    const { waiters } = waitersAt(5, { remote: true });
    const waiting = waiters.waitFor(6, 1000);
    waiters.lost();
    assert.equal(await waiting, 'unknown');
  });

  it('asks a remote store again for a read that began to wait later', async () => {
    const { cache, waiters } = waitersAt(5, { remote: true });
    const waiting = [waiters.waitFor(6, 1000), waiters.waitFor(7, 1000)];
    assert.equal(cache.asked, 1);
    waiters.answered();
    assert.equal(cache.asked, 2);
    cache.trusted = false;
    const last = waiters.waitFor(8, 1000);
    waiters.answered();
    for (const wait of [...waiting, last]) assert.equal(await wait, 'unknown');
  });

  it('ends every wait when it stops, and later ones at once', async () => {
    const { waiters } = waitersAt(5, { remote: true });
    const waiting = waiters.waitFor(6, 1000);
    waiters.stop();
    assert.equal(await waiting, 'late');
    assert.equal(waiters.waitFor(6, 1000), 'late');
    assert.equal(waiters.waitFor(5, 1000), 'reached');
  });
});

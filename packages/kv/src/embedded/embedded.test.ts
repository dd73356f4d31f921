import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '@binnacle/apimachinery/clock';
import * as fc from 'fast-check';
import type { KV } from '../interface/index.js';
import { agreeWithModel, durableKVSuite, forksAgreeWithModel, kvSuite } from '../testing/index.js';
import { openEmbeddedKV } from './index.js';
import { checkStore } from './maintenance/index.js';

describe('embedded store', () => {
  let root = '';
  let stores = 0;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'kv-embedded-'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  const openFresh = ({ clock }: { readonly clock: Clock }): Promise<KV> => {
    stores += 1;
    return openEmbeddedKV({ directory: join(root, String(stores)), clock });
  };
  /** Condenses each value as soon as it is superseded. Its timer does not use the virtual clock of expiry. */
  const openCondensing = async ({ clock }: { readonly clock: Clock }): Promise<KV> => {
    stores += 1;
    const timed: Clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      setTimer: (run, delay) => (delay === 1 ? systemClock : clock).setTimer(run, delay),
    };
    const condensing = { condenseAfterMilliseconds: 0, condenseEveryMilliseconds: 1 };
    return openEmbeddedKV({ directory: join(root, String(stores)), clock: timed, ...condensing });
  };
  const reopenCondensing = async (kv: KV, clock: Clock): Promise<KV> => {
    await kv.close();
    assert.deepEqual((await checkStore({ directory: join(root, String(stores)), isEncoded: () => true })).problems, []);
    stores -= 1;
    return openCondensing({ clock });
  };
  kvSuite('embedded', openFresh);
  durableKVSuite('embedded', ({ name, clock }) => openEmbeddedKV({ directory: join(root, name), clock }));
  it('agrees with the model on random operations', { timeout: 600_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 400, size: 'max' }), (numbers) =>
        agreeWithModel(openFresh, numbers),
      ),
      { numRuns: 12 },
    ),
  );
  it('agrees with the model while it condenses superseded values, and is restarted', { timeout: 600_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 400, size: 'max' }), (numbers) =>
        agreeWithModel(openCondensing, numbers, { reopen: reopenCondensing }),
      ),
      { numRuns: 10 },
    ),
  );
  it('and its forks never see writes of each other', { timeout: 600_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 60, size: 'max' }), (numbers) =>
        forksAgreeWithModel(openFresh, numbers),
      ),
      { numRuns: 10 },
    ),
  );
});

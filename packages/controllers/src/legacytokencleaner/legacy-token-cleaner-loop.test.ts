import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Secret, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { faultCases, isFaultless, playHistories, Simulation } from '../testing/index.js';
import { dateOf, INVALID_SINCE, TOKEN_TYPE } from './plan.js';

const DAY = 24 * 3_600_000;
const PERIOD = 10;
const settings = { legacyTokenCleanUpPeriodMs: PERIOD * DAY };
const controllers = 'legacy-serviceaccount-token-cleaner-controller';
const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const TOKENS = ['a', 'b', 'foreign'];

const secretsOf = ({ client }: Pick<Simulation, 'client'>) => client.resource(Secret).namespace('default');

/** An account that lists the tokens `a` and `b`. Resolves to its uid. */
async function createAccount({ client }: Simulation): Promise<string> {
  const { metadata } = await client
    .resource(ServiceAccount)
    .namespace('default')
    .create({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'bot' },
      secrets: [{ name: 'a' }, { name: 'b' }],
    });
  return metadata.uid ?? '';
}

async function createToken(simulation: Simulation, name: string, uid: string): Promise<void> {
  const annotations = { 'kubernetes.io/service-account.name': 'bot', 'kubernetes.io/service-account.uid': uid };
  const metadata = { name, annotations };
  await secretsOf(simulation).create({ apiVersion: 'v1', kind: 'Secret', metadata, type: TOKEN_TYPE });
}

/** As the server does when a request has the token: an unused one becomes valid again. */
async function use(simulation: Simulation, name: string): Promise<void> {
  const labels = { [LAST_USED]: dateOf(simulation.clock.now()), [INVALID_SINCE]: null };
  await secretsOf(simulation).patch(name, { type: 'merge', body: { metadata: { labels } } });
}

const names = async (simulation: Pick<Simulation, 'client'>) =>
  (await secretsOf(simulation).list()).items.map(({ metadata: { name = '' } }) => name);

describe('the cleaner of unused tokens', () => {
  for (const [what, faults] of faultCases) {
    it(`marks and deletes them, by one write each, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, settings, faults });
      const mark = async () => (await secretsOf(simulation).get('a')).metadata.labels?.[INVALID_SINCE];
      await createToken(simulation, 'a', await createAccount(simulation));
      await simulation.advance(8 * DAY);
      assert.equal(await mark(), undefined);
      await simulation.advance(8 * DAY);
      assert.match((await mark()) ?? '', /^2027-01-1\d$/);
      await simulation.advance(16 * DAY);
      assert.deepEqual(await names(simulation), []);
      if (isFaultless(faults)) assert.deepEqual(simulation.log.counts(), { 'patch secrets': 1, 'delete secrets': 1 });
    });
  }

  it('touches no token that was used recently or belongs to no account, through any history', () =>
    playHistories({
      controllers,
      settings,
      runs: 2,
      step: fc.record({ act: fc.constantFrom('create', 'use', 'use', 'delete'), name: fc.constantFrom(...TOKENS) }),
      pauses: [0, 1000, 3 * DAY, 9 * DAY],
      begin: async (simulation) => {
        const { clock } = simulation;
        const uid = await createAccount(simulation);
        const used = new Map<string, number>();
        for (const name of TOKENS) await createToken(simulation, name, uid);
        // The cleaner begins when the server has tracked uses for long enough.
        await simulation.advance((PERIOD - 1) * DAY);
        for (const name of TOKENS) {
          await use(simulation, name);
          used.set(name, clock.now());
        }
        return {
          act: async ({ act, name }) => {
            const isThere = (await names(simulation)).includes(name);
            if (act === 'create' && !isThere) {
              used.set(name, clock.now());
              await createToken(simulation, name, uid);
            } else if (act === 'use' && isThere) {
              used.set(name, clock.now());
              await use(simulation, name);
            } else if (act === 'delete' && isThere) {
              used.delete(name);
              await secretsOf(simulation).delete(name);
            }
          },
          check: async (_, { verb, name }) => {
            assert.notEqual(name, 'foreign');
            // Labels have whole days. A marked token stays for the same time once more.
            const days = verb === 'delete' ? 2 * PERIOD : PERIOD;
            const unused = (clock.now() - (used.get(name) ?? 0)) / DAY;
            assert.ok(unused > days, `${verb} of ${name}, unused for ${unused} days`);
          },
          settled: async () => {
            await simulation.advance((2 * PERIOD + 5) * DAY);
            assert.deepEqual(await names(simulation), used.has('foreign') ? ['foreign'] : []);
          },
        };
      },
    }));
});

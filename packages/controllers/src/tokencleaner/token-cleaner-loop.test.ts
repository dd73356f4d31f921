import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTime } from '@binnacle/apimachinery/time';
import { Secret } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { faultCases, isFaultless, playHistories, Simulation } from '../testing/index.js';

const controllers = 'token-cleaner-controller';
const MINUTE = 60_000;
const TOKEN = 'bootstrap.kubernetes.io/token';

const secretsOf = ({ client }: Simulation) => client.resource(Secret).namespace('kube-system');
const names = async (simulation: Simulation) =>
  (await secretsOf(simulation).list()).items.map(({ metadata: { name = '' } }) => name);

const secret = (name: string, expiration: string | undefined, type = TOKEN): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  type,
  stringData: {
    'token-id': name.replace(/.*-/, ''),
    'token-secret': '0123456789abcdef',
    ...(expiration === undefined ? {} : { expiration }),
  },
});

const after = ({ clock }: Simulation, minutes: number): string => formatTime(clock.now() + minutes * MINUTE);

describe('the cleaner of bootstrap tokens', () => {
  for (const [what, faults] of faultCases) {
    it(`deletes a token when it expires, by one request, and nothing else, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, faults });
      const secrets = secretsOf(simulation);
      await secrets.create(secret('bootstrap-token-aaaaaa', after(simulation, 10)));
      await secrets.create(secret('bootstrap-token-bbbbbb', after(simulation, -10)));
      await secrets.create(secret('bootstrap-token-cccccc', undefined));
      await secrets.create(secret('other', after(simulation, -10), 'Opaque'));
      await simulation.advance(9 * MINUTE);
      const [soon, lasting] = ['bootstrap-token-aaaaaa', ['bootstrap-token-cccccc', 'other']];
      assert.deepEqual(await names(simulation), [soon, ...lasting]);
      await simulation.advance(5 * MINUTE);
      assert.deepEqual(await names(simulation), lasting);
      if (isFaultless(faults)) assert.deepEqual(simulation.log.counts(), { 'delete secrets': 2 });
    });
  }

  it('keeps the tokens that are valid, through any history', () =>
    playHistories({
      controllers,
      runs: 2,
      step: fc.record({
        act: fc.constantFrom('replace', 'replace', 'delete'),
        name: fc.constantFrom('bootstrap-token-aaaaaa', 'bootstrap-token-bbbbbb'),
        minutes: fc.constantFrom(undefined, -1, 1, 30),
      }),
      pauses: [0, 1000, 8000, 2 * MINUTE],
      begin: async (simulation) => {
        const { clock } = simulation;
        const secrets = secretsOf(simulation);
        const ends = new Map<string, number>();
        return {
          act: async ({ act, name, minutes }) => {
            const isThere = (await names(simulation)).includes(name);
            // Another token of the same name: the loop deletes by uid, as upstream, so a stale cache does no harm.
            if (isThere) await secrets.delete(name);
            ends.delete(name);
            if (act === 'delete') return;
            const end = minutes === undefined ? undefined : after(simulation, minutes);
            ends.set(name, end === undefined ? Infinity : Date.parse(end));
            await secrets.create(secret(name, end));
          },
          check: async (_, { name }) => {
            assert.ok(clock.now() >= (ends.get(name) ?? 0), `${name} is deleted while it is valid`);
          },
          settled: async () => {
            for (const minutes of [0, 60]) {
              await simulation.advance(minutes * MINUTE);
              const valid = [...ends].filter(([, end]) => end > clock.now()).map(([name]) => name);
              assert.deepEqual(await names(simulation), valid.sort());
            }
          },
        };
      },
    }));
});

import assert from 'node:assert/strict';
import { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { certificateRequest, faultCases, isFaultless, playHistories, Simulation } from '../testing/index.js';

const controllers = 'csrcleaner';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const names = async ({ client }: Pick<Simulation, 'client'>) =>
  (await client.resource(CertificateSigningRequest).list()).items.map(({ metadata: { name = '' } }) => name);

async function create({ client }: Simulation, name: string): Promise<void> {
  await client.resource(CertificateSigningRequest).create({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      signerName: 'example.com/s',
      usages: ['client auth'],
      request: certificateRequest({ commonName: 'jane' }),
    },
  });
}

async function decide({ client }: Simulation, name: string, type: string): Promise<void> {
  const requests = client.resource(CertificateSigningRequest);
  const conditions = [{ type, status: 'True', reason: 'Test' }];
  await requests.subresource('approval').update({ ...(await requests.get(name)), status: { conditions } });
}

describe('the cleaner of certificate requests', () => {
  for (const [what, faults] of faultCases) {
    it(`deletes a request in time, by one request, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, faults });
      await create(simulation, 'r');
      await simulation.advance(DAY - 1000);
      assert.deepEqual(await names(simulation), ['r']);
      await simulation.advance(HOUR);
      assert.deepEqual(await names(simulation), []);
      if (isFaultless(faults)) {
        assert.deepEqual(simulation.log.counts(), { 'delete certificatesigningrequests': 1 });
      }
    });
  }

  it('deletes each request when its time is over, through any history', () =>
    playHistories({
      controllers,
      runs: 2,
      step: fc.constantFrom('create', 'Approved', 'Denied'),
      pauses: [0, 1000, 40 * MINUTE, 13 * HOUR],
      begin: async (simulation) => {
        const { clock } = simulation;
        /** When each request is to go, undecided ones last. */
        const ends = new Map<string, number>();
        const undecided: string[] = [];
        let count = 0;
        return {
          act: async (step) => {
            const present = await names(simulation);
            const name = undecided.find((each) => present.includes(each));
            if (step === 'create' || name === undefined) {
              const created = `r${count++}`;
              await create(simulation, created);
              undecided.push(created);
              ends.set(created, clock.now() + DAY);
            } else {
              await decide(simulation, name, step);
              undecided.splice(undecided.indexOf(name), 1);
              ends.set(name, clock.now() + (step === 'Denied' ? HOUR : DAY));
            }
          },
          check: async (_, { name }) => {
            // Times in objects have whole seconds.
            assert.ok(clock.now() + 1000 >= (ends.get(name) ?? Infinity), `${name} is deleted early`);
          },
          settled: async () => {
            const left = [...ends].filter(([, end]) => end + MINUTE > clock.now()).map(([name]) => name);
            assert.deepEqual(await names(simulation), left);
            await simulation.advance(DAY + HOUR);
            assert.deepEqual(await names(simulation), []);
          },
        };
      },
    }));
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PodCertificateRequest } from '@binnacle/client/kinds/certificates/v1beta1';
import * as fc from 'fast-check';
import { faultCases, isFaultless, playHistories, Simulation } from '../testing/index.js';

const controllers = 'podcertificaterequest-cleaner-controller';
const runtimeConfig = 'certificates.k8s.io/v1beta1=true';
const MINUTE = 60_000;
/** With an empty subject: the server wants a key, and proof that the requester has its other half. */
const KEY_AND_PROOF = [
  'MIG7MGICAQAwADBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFxBqSjdU96HtYHrtBqvFtrXE/g2qEV6kbL2o1UuMd1r5Z6oRgtu',
  'PJrIyNmmAWF2/EwEP1XKBRWtx8AsFovX402gADAKBggqhkjOPQQDAgNJADBGAiEAmjOssLcCV17clWf7UZ+s5vr8ufIxBuUR5Esz',
  'oemoD+UCIQDfqroqTM3KyJk7VG1ebye+0FEOVrH9YV7KiFpo5M/5/A==',
].join('');

const request = (name: string): PodCertificateRequest => ({
  apiVersion: 'certificates.k8s.io/v1beta1',
  kind: 'PodCertificateRequest',
  metadata: { name },
  spec: {
    signerName: 'example.com/signer',
    podName: 'pod',
    podUID: 'pod-uid',
    serviceAccountName: 'default',
    serviceAccountUID: 'account-uid',
    nodeName: 'node',
    nodeUID: 'node-uid',
    pkixPublicKey: '',
    proofOfPossession: '',
    stubPKCS10Request: KEY_AND_PROOF,
  },
});

const requestsOf = ({ client }: Simulation) => client.resource(PodCertificateRequest).namespace('default');
const names = async (simulation: Simulation) =>
  (await requestsOf(simulation).list()).items.map(({ metadata: { name = '' } }) => name);

describe('the cleaner of certificate requests of pods', () => {
  for (const [what, faults] of faultCases) {
    it(`deletes them after fifteen minutes, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, runtimeConfig, faults });
      await requestsOf(simulation).create(request('first'));
      await simulation.advance(10 * MINUTE);
      await requestsOf(simulation).create(request('second'));
      await simulation.advance(4 * MINUTE);
      assert.deepEqual(await names(simulation), ['first', 'second']);
      await simulation.advance(3 * MINUTE);
      assert.deepEqual(await names(simulation), ['second']);
      await simulation.advance(20 * MINUTE);
      assert.deepEqual(await names(simulation), []);
      if (isFaultless(faults)) assert.deepEqual(simulation.log.counts(), { 'delete podcertificaterequests': 2 });
    });
  }

  it('deletes each request when its time is over, through any history', () =>
    playHistories({
      controllers,
      runtimeConfig,
      runs: 2,
      step: fc.record({ act: fc.constantFrom('create', 'create', 'delete'), name: fc.constantFrom('a', 'b', 'c') }),
      pauses: [0, 1000, 4 * MINUTE, 11 * MINUTE],
      begin: async (simulation) => {
        const { clock } = simulation;
        const requests = requestsOf(simulation);
        const ends = new Map<string, number>();
        return {
          act: async ({ act, name }) => {
            const isThere = (await names(simulation)).includes(name);
            if (act === 'create' && !isThere) {
              ends.set(name, clock.now() + 15 * MINUTE);
              await requests.create(request(name));
            } else if (act === 'delete' && isThere) {
              ends.delete(name);
              await requests.delete(name);
            }
          },
          check: async (_, { name }) => {
            // Times in objects have whole seconds.
            assert.ok(clock.now() + 1000 >= (ends.get(name) ?? Infinity), `${name} is deleted early`);
          },
          settled: async () => {
            const left = [...ends].filter(([, end]) => end + MINUTE > clock.now()).map(([name]) => name);
            assert.deepEqual(await names(simulation), left.sort());
            await simulation.advance(20 * MINUTE);
            assert.deepEqual(await names(simulation), []);
          },
        };
      },
    }));
});

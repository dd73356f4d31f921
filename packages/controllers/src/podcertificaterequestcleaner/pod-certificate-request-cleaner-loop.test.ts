import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PodCertificateRequest } from '@binnacle/client/kinds/certificates/v1beta1';
import { Simulation, type SimulationFaults } from '../testing/index.js';

const controllers = 'podcertificaterequest-cleaner-controller';
const runtimeConfig = 'certificates.k8s.io/v1beta1=true';
const MINUTE = 60_000;

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
    stubPKCS10Request: '',
  },
});

describe('the cleaner of certificate requests of pods', () => {
  for (const faults of [
    {},
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.3 },
  ] as const satisfies readonly SimulationFaults[]) {
    it(`deletes them after fifteen minutes, ${Object.keys(faults).join(' and ') || 'without faults'}`, async () => {
      await using simulation = await Simulation.start({ controllers, runtimeConfig, faults });
      const requests = simulation.client.resource(PodCertificateRequest).namespace('default');
      const names = async () => (await requests.list()).items.map(({ metadata }) => metadata.name);
      await requests.create(request('first'));
      await simulation.advance(10 * MINUTE);
      await requests.create(request('second'));
      await simulation.advance(4 * MINUTE);
      assert.deepEqual(await names(), ['first', 'second']);
      await simulation.advance(3 * MINUTE);
      assert.deepEqual(await names(), ['second']);
      await simulation.advance(20 * MINUTE);
      assert.deepEqual(await names(), []);
      if (Object.keys(faults).length === 0) {
        assert.deepEqual(simulation.log.counts(), { 'delete podcertificaterequests': 2 });
      }
    });
  }
});

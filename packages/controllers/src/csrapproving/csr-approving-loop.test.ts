import assert from 'node:assert/strict';
import { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';
import { describe, it } from 'node:test';
import { certificateRequest, Simulation, type SimulationFaults } from '../testing/index.js';

const KUBELET = 'kubernetes.io/kube-apiserver-client-kubelet';
const usages = ['digital signature', 'client auth'];
const node = { commonName: 'system:node:n', organizations: ['system:nodes'] };

async function start(faults: SimulationFaults = {}): Promise<Simulation> {
  const simulation = await Simulation.start({ controllers: 'csrapproving', faults });
  await simulation.advance(6000);
  return simulation;
}

async function ask({ client }: Simulation, spec: Partial<CertificateSigningRequest['spec']> = {}): Promise<void> {
  await client.resource(CertificateSigningRequest).create({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'n' },
    spec: { signerName: KUBELET, usages, request: certificateRequest(node), ...spec },
  });
}

async function approval({ client }: Simulation) {
  const { status } = await client.resource(CertificateSigningRequest).get('n');
  return status?.conditions?.map(({ type, reason, message }) => [type, reason, message]);
}

const APPROVED = [['Approved', 'AutoApproved', 'Auto approving kubelet client certificate after SubjectAccessReview.']];

describe('the approver of certificate requests', () => {
  it('approves a kubelet of a user that may ask for it, by two requests', async () => {
    await using simulation = await start();
    await ask(simulation);
    await simulation.advance(1000);
    assert.deepEqual(await approval(simulation), APPROVED);
    await simulation.advance(600_000);
    assert.deepEqual(simulation.log.counts(), {
      'create subjectaccessreviews': 1,
      'update certificatesigningrequests/approval': 1,
    });
  });

  for (const [what, spec] of [
    ['for another signer', { signerName: 'kubernetes.io/kube-apiserver-client' }],
    ['for other usages', { usages: ['client auth'] }],
    ['of another subject', { request: certificateRequest({ commonName: 'jane' }) }],
  ] as const) {
    it(`leaves a request ${what} to others`, async () => {
      await using simulation = await start();
      await ask(simulation, spec);
      await simulation.advance(600_000);
      assert.deepEqual([await approval(simulation), simulation.log.counts()], [undefined, {}]);
    });
  }

  for (const [what, faults] of [
    ['with stale caches', { watchDelay: 5000 }],
    ['when it restarts after each write', { restartAfterWrites: true }],
    ['with failures', { conflicts: 0.4, failedWrites: 0.4, lostAnswers: 0.3 }],
  ] as const) {
    it(`approves once ${what}`, async () => {
      await using simulation = await start(faults);
      await ask(simulation);
      await simulation.advance(120_000);
      assert.deepEqual(await approval(simulation), APPROVED);
    });
  }
});

import assert from 'node:assert/strict';
import { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';
import { isConflict } from '@binnacle/client/rest';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  certificateRequest,
  faultCases,
  isFaultless,
  playHistories,
  Simulation,
  type SimulationFaults,
} from '../testing/index.js';

const CLIENT = 'kubernetes.io/kube-apiserver-client';
const KUBELET = `${CLIENT}-kubelet`;
const usages = ['digital signature', 'client auth'];
const node = { commonName: 'system:node:n', organizations: ['system:nodes'] };

async function start(faults: SimulationFaults = {}): Promise<Simulation> {
  const simulation = await Simulation.start({ controllers: 'csrapproving', faults });
  await simulation.advance(6000);
  return simulation;
}

async function ask(
  { client }: Simulation,
  spec: Partial<CertificateSigningRequest['spec']> = {},
  name = 'n',
): Promise<void> {
  await client.resource(CertificateSigningRequest).create({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { signerName: KUBELET, usages, request: certificateRequest(node), ...spec },
  });
}

async function approval({ client }: Simulation) {
  const { status } = await client.resource(CertificateSigningRequest).get('n');
  return status?.conditions?.map(({ type, reason, message }) => [type, reason, message]);
}

const APPROVED = [['Approved', 'AutoApproved', 'Auto approving kubelet client certificate after SubjectAccessReview.']];

describe('the approver of certificate requests', () => {
  for (const [what, faults] of faultCases) {
    it(`approves a kubelet of a user that may ask for it, by two requests, ${what}`, async () => {
      await using simulation = await start(faults);
      await ask(simulation);
      await simulation.advance(120_000);
      assert.deepEqual(await approval(simulation), APPROVED);
      if (isFaultless(faults)) {
        assert.deepEqual(simulation.log.counts(), {
          'create subjectaccessreviews': 1,
          'update certificatesigningrequests/approval': 1,
        });
      }
      simulation.log.clear();
      await simulation.advance(600_000);
      assert.deepEqual(simulation.log.counts(), {});
    });
  }

  for (const [what, spec] of [
    ['for another signer', { signerName: CLIENT }],
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

  it('approves kubelets only, and never those that were denied, through any history', () =>
    playHistories({
      controllers: 'csrapproving',
      runs: 2,
      step: fc.record({
        spec: fc.constantFrom({}, {}, { signerName: CLIENT }, { usages: ['client auth'] }),
        decision: fc.constantFrom('none', 'denied at once', 'denied later', 'deleted'),
      }),
      begin: async (simulation) => {
        const requests = simulation.client.resource(CertificateSigningRequest);
        const denied = new Set<string>();
        const eligible = new Set<string>();
        let count = 0;
        /** Does nothing if the loop was first. */
        const deny = async (name: string): Promise<void> => {
          const latest = await requests.get(name);
          if (latest.status?.conditions !== undefined) return;
          const conditions = [{ type: 'Denied', status: 'True', reason: 'Test' }];
          try {
            await requests.subresource('approval').update({ ...latest, status: { conditions } });
            denied.add(name);
          } catch (error) {
            if (!isConflict(error)) throw error;
          }
        };
        return {
          act: async ({ spec, decision }) => {
            const name = `r${count++}`;
            await ask(simulation, spec, name);
            if (Object.keys(spec).length === 0) eligible.add(name);
            if (decision === 'none') return;
            if (decision !== 'denied at once') await simulation.advance(100);
            if (decision !== 'deleted') return deny(name);
            eligible.delete(name);
            await requests.delete(name);
          },
          check: async (client) => {
            for (const { metadata, status } of (await client.resource(CertificateSigningRequest).list()).items) {
              const types = (status?.conditions ?? []).map(({ type }) => type);
              assert.ok(types.length <= 1, `${metadata.name} is ${types.join(' and ')}`);
            }
          },
          settled: async () => {
            const { items } = await requests.list();
            for (const {
              metadata: { name = '' },
              status,
            } of items) {
              const decision = denied.has(name) ? 'Denied' : eligible.has(name) ? 'Approved' : undefined;
              assert.equal(status?.conditions?.[0]?.type, decision, name);
            }
          },
        };
      },
    }));
});

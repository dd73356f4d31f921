import assert from 'node:assert/strict';
import { createIssuer } from '@binnacle/client/certificates';
import { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { LoopSettings } from '../loop/index.js';
import { anyFaults, certificateRequest, randomRuns, Simulation, type SimulationFaults } from '../testing/index.js';

const NOW = Date.UTC(2027, 0, 4);
const controllers = 'csrsigning';
const CLIENT = 'kubernetes.io/kube-apiserver-client';

interface Asked {
  readonly signerName?: string;
  readonly usages?: readonly string[];
  readonly expirationSeconds?: number;
  readonly decision?: 'Approved' | 'Denied';
}

async function play(asked: Asked, faults: SimulationFaults = {}, more: LoopSettings = {}) {
  const { authority } = await createIssuer('test', NOW);
  const simulation = await Simulation.start({ controllers, faults, settings: { clusterSigning: authority, ...more } });
  await using _ = simulation;
  const requests = simulation.client.resource(CertificateSigningRequest);
  const { decision = 'Approved', ...spec } = asked;
  const created = await requests.create({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'jane' },
    spec: { signerName: CLIENT, usages: ['client auth'], request: certificateRequest({ commonName: 'jane' }), ...spec },
  });
  await simulation.advance(10_000);
  assert.deepEqual(simulation.log.counts(), {});
  const conditions = [{ type: decision, status: 'True', reason: 'Test' }];
  await requests.subresource('approval').update({ ...created, status: { conditions } });
  await simulation.advance(120_000);
  const { status } = await requests.get('jane');
  const counts = simulation.log.counts();
  const { certificate } = status ?? {};
  const signed = certificate === undefined ? undefined : new X509Certificate(Buffer.from(certificate, 'base64'));
  const failure = status?.conditions?.find(({ type }) => type === 'Failed');
  return { signed, failure, counts, authority };
}

describe('the signer of certificate requests', () => {
  it('signs an approved request, by one request of its own', async () => {
    const { signed, failure, counts, authority } = await play({ expirationSeconds: 3600 });
    assert.equal(failure, undefined);
    assert.ok(signed?.checkIssued(new X509Certificate(authority.certificate)));
    assert.deepEqual([signed?.subject, signed?.ca, signed?.keyUsage], ['CN=jane', false, ['1.3.6.1.5.5.7.3.2']]);
    assert.deepEqual(counts, { 'update certificatesigningrequests/status': 1 });
  });

  it('signs for no longer than it may', async () => {
    const { signed } = await play({ expirationSeconds: 7200 }, {}, { clusterSigningDurationMs: 3_600_000 });
    const seconds = (Date.parse(signed?.validTo ?? '') - NOW) / 1000;
    assert.ok(seconds > 0 && seconds <= 3600 + 300, String(seconds));
  });

  for (const [what, asked, message] of [
    ['a denied one', { decision: 'Denied' }, undefined],
    ['one for another signer', { signerName: 'example.com/own' }, undefined],
    ['one for other usages', { usages: ['server auth'] }, 'invalid usage for client certificate: server auth'],
    [
      'one without its usage',
      { usages: ['digital signature'] },
      'missing required usage for client certificate: client auth',
    ],
    [
      'one that only kubelets may have',
      { signerName: 'kubernetes.io/kubelet-serving', usages: ['server auth', 'digital signature'] },
      'subject organization is not system:nodes',
    ],
  ] as const) {
    it(`does not sign ${what}`, async () => {
      const { signed, failure } = await play(asked);
      assert.deepEqual(
        [signed, failure?.message, failure?.reason],
        [undefined, message, message && 'SignerValidationFailure'],
      );
    });
  }

  for (const [what, faults] of [
    ['with stale caches', { watchDelay: 5000 }],
    ['when it restarts after each write', { restartAfterWrites: true }],
    ['with failures', { conflicts: 0.4, failedWrites: 0.4, lostAnswers: 0.3 }],
  ] as const) {
    it(`signs once ${what}`, async () => {
      const { signed } = await play({}, faults);
      assert.equal(signed?.subject, 'CN=jane');
    });
  }
});

const HOUR = 3_600_000;

it('the loops of certificate requests approve, sign and delete through any history', async () => {
  const asked = fc.record({
    signer: fc.constantFrom(CLIENT, `${CLIENT}-kubelet`, 'example.com/own'),
    decision: fc.constantFrom(undefined, 'Approved', 'Denied'),
    pause: fc.constantFrom(0, 2000, 60_000),
  });
  const history = fc.array(asked, { minLength: 2, maxLength: 4 });
  const { authority } = await createIssuer('test', NOW);
  const names = { commonName: 'system:node:n', organizations: ['system:nodes'] };
  const request = certificateRequest(names);
  await fc.assert(
    fc.asyncProperty(history, anyFaults, fc.nat(), async (steps, faults, seed) => {
      const certificates = new Map<string, string>();
      await using simulation = await Simulation.start({
        controllers: 'csrapproving,csrsigning,csrcleaner',
        seed,
        faults,
        settings: { clusterSigning: authority },
        check: async (client) => {
          for (const { metadata, status } of (await client.resource(CertificateSigningRequest).list()).items) {
            const [name, { certificate = '' }] = [metadata.name ?? '', status ?? {}];
            assert.equal(certificate, certificates.get(name) ?? certificate, 'a request is signed twice');
            if (certificate !== '') certificates.set(name, certificate);
          }
        },
      });
      const requests = simulation.client.resource(CertificateSigningRequest);
      const expected = steps.map(({ signer, decision }) => {
        const isKubelet = signer.endsWith('kubelet');
        return (isKubelet && decision !== 'Denied') || (signer === CLIENT && decision === 'Approved');
      });
      for (const [index, { signer, decision, pause }] of steps.entries()) {
        const usages = ['digital signature', 'client auth'];
        const created = await requests.create({
          apiVersion: 'certificates.k8s.io/v1',
          kind: 'CertificateSigningRequest',
          metadata: { name: `r${index}` },
          spec: { signerName: signer, usages, request },
        });
        if (decision !== undefined) {
          const conditions = [{ type: decision, status: 'True', reason: 'Test' }];
          await requests.subresource('approval').update({ ...created, status: { conditions } });
        }
        await simulation.advance(pause);
      }
      await simulation.advance(120_000);
      simulation.faults = {};
      await simulation.advance(60_000);
      const { items } = await requests.list();
      assert.deepEqual(
        items.map(({ status }) => status?.certificate !== undefined),
        expected,
      );
      await simulation.advance(25 * HOUR);
      assert.deepEqual((await requests.list()).items, []);
      simulation.log.clear();
      await simulation.advance(25 * HOUR);
      assert.deepEqual(simulation.log.counts(), {});
    }),
    randomRuns(1),
  );
});

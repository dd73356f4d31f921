import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { asObject } from '@binnacle/apimachinery/meta';
import { serverScope } from '../../bootstrap/index.js';
import { podCertificateGuard } from './pod-certificate-guard.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const guard = podCertificateGuard({
  clock: new VirtualClock(NOW),
  authorizer: {
    maySign: async ({ name }, verb, signer) => `${name} ${verb} ${signer}` === 'signer sign a.example/*',
  },
});
const notPermitted = (name: string): RegExp =>
  new RegExp(`spec.signerName: Forbidden: User "${name}" is not permitted to "sign" for signer "[ab].example/s"`);

function requestWith(status: object, signerName = 'a.example/s') {
  const kind = { apiVersion: 'certificates.k8s.io/v1beta1', kind: 'PodCertificateRequest' };
  return asObject({ ...kind, metadata: { name: 'r' }, spec: { signerName }, status: { ...status } });
}

/** Writes a status as a user, after a request without one. */
async function write(userName: string, status: object, signerName?: string, subresource = 'status'): Promise<void> {
  const scope = { ...serverScope('n'), userName, requester: { uid: '', groups: [], extra: {} }, subresource };
  await guard.check({ scope, name: 'r', object: requestWith(status), old: requestWith({}, signerName) });
}

describe('the guard of pod certificates', () => {
  const issued = { certificateChain: 'x', notBefore: '2026-11-30T11:56:00Z' };

  it('lets only those set a certificate who may sign for the signer of the stored request', async () => {
    await write('signer', issued);
    await assert.rejects(write('other', issued), notPermitted('other'));
    await assert.rejects(write('signer', issued, 'b.example/s'), notPermitted('signer'));
  });

  it('lets only those deny or fail a request who may sign for its signer', async () => {
    for (const type of ['Denied', 'Failed']) {
      const ended = { conditions: [{ type, status: 'True', reason: 'r' }] };
      await write('signer', ended);
      await assert.rejects(write('other', ended), notPermitted('other'));
    }
  });

  it('leaves a status that does not change', () => write('other', { conditions: [] }));

  it('refuses a certificate that did not begin now', async () => {
    for (const notBefore of ['2026-11-30T11:55:00Z', '2026-11-30T12:05:00Z']) {
      await assert.rejects(
        write('signer', { ...issued, notBefore }),
        /status.notBefore: Invalid value: "[^"]*": must be set to within 5 minutes of kube-apiserver's current time/,
      );
    }
  });

  it('leaves other writes to validation', () => write('other', issued, undefined, ''));
});

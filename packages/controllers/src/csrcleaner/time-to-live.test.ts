import assert from 'node:assert/strict';
import { createIssuer } from '@binnacle/client/certificates';
import type { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';
import { describe, it } from 'node:test';
import { timeToLive } from './time-to-live.js';

const NOON = '2027-01-01T12:00:00Z';
const now = Date.parse(NOON);
const HOUR = 3_600_000;

function request(types: readonly string[], certificate?: string): CertificateSigningRequest {
  const conditions = types.map((type) => ({ type, status: 'True', lastUpdateTime: NOON }));
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'r', creationTimestamp: NOON },
    spec: { request: '', signerName: 'example.com/s' },
    status: { conditions, ...(certificate === undefined ? {} : { certificate }) },
  };
}

describe('the time that a certificate request has left', () => {
  for (const [what, given, hours] of [
    ['is a day if it is not decided', request([]), 24],
    ['is an hour if it is denied', request(['Denied']), 1],
    ['is a day if it is approved only', request(['Approved']), 24],
    ['is an hour if it is issued', request(['Approved'], 'AAAA'), 1],
    ['is an hour if it has failed', request(['Approved', 'Failed']), 1],
    ['is unlimited with other conditions', request(['Odd']), Infinity],
  ] as const) {
    it(what, () => assert.equal(timeToLive(given, now) / HOUR, hours));
  }

  it('is over when the certificate has expired', async () => {
    const year = 365 * 24 * HOUR;
    const issuer = await createIssuer('test', now - 2 * year);
    const { certificate } = issuer.issueClient({ commonName: 'jane' });
    const given = request(['Approved'], Buffer.from(certificate).toString('base64'));
    assert.ok(timeToLive(given, now) < 0);
  });
});

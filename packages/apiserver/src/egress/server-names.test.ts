import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PeerCertificate } from 'node:tls';
import { EgressAgent } from './egress-agents.js';
import { Egress } from './egress.js';
import { checkServerNames } from './server-names.js';

const cases: readonly (readonly [host: string, names: string | undefined, accepted: boolean])[] = [
  ['hook.example', 'DNS:hook.example', true],
  ['hook.team.example', 'DNS:*.team.example', true],
  ['hook.example', 'DNS:other.example', false],
  ['hook.example', undefined, false],
  ['hook.example', 'IP Address:192.0.2.1', false],
  ['192.0.2.1', 'IP Address:192.0.2.1', true],
  ['192.0.2.1', undefined, false],
];

for (const [host, names, accepted] of cases) {
  test(`a certificate with the common name ${host} and ${names ?? 'no names'} is ${accepted ? '' : 'not '}for ${host}`, () => {
    const certificate = { subject: { CN: host, O: 'o' }, subjectaltname: names } as unknown as PeerCertificate;
    assert.equal(checkServerNames(host, certificate) === undefined, accepted);
  });
}

test('agents check names so', () => {
  assert.equal(new EgressAgent(new Egress()).options.checkServerIdentity, checkServerNames);
});

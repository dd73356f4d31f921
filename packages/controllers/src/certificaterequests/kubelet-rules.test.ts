import assert from 'node:assert/strict';
import { type CertificateRequest, readCertificateRequest } from '@binnacle/apimachinery/certificaterequests';
import { describe, it } from 'node:test';
import { certificateRequest, type RequestedNames } from '../testing/index.js';
import { kubeletClientProblem, kubeletServingProblem } from './kubelet-rules.js';

function read(names: Partial<RequestedNames> = {}): CertificateRequest {
  const node = { commonName: 'system:node:n', organizations: ['system:nodes'] };
  const request = readCertificateRequest(certificateRequest({ ...node, ...names }));
  if (typeof request === 'string') throw new Error(request);
  return request;
}

const client = ['digital signature', 'key encipherment', 'client auth'];
const server = ['digital signature', 'key encipherment', 'server auth'];
const dnsNames = ['n.example'];

describe('the rules for certificates of kubelets', () => {
  for (const [what, rule, names, usages, problem] of [
    ['a client', kubeletClientProblem, {}, client, undefined],
    ['a client without RSA', kubeletClientProblem, {}, ['client auth', 'digital signature'], undefined],
    [
      'another organization',
      kubeletClientProblem,
      { organizations: ['a'] },
      client,
      'subject organization is not system:nodes',
    ],
    [
      'two organizations',
      kubeletClientProblem,
      { organizations: ['system:nodes', 'system:masters'] },
      client,
      'subject organization is not system:nodes',
    ],
    [
      'another name',
      kubeletClientProblem,
      { commonName: 'n' },
      client,
      'subject common name does not begin with system:node:',
    ],
    ['a client with names', kubeletClientProblem, { dnsNames }, client, 'DNS subjectAltNames are not allowed'],
    [
      'a client with mail',
      kubeletClientProblem,
      { emailAddresses: ['a@b'] },
      client,
      'Email subjectAltNames are not allowed',
    ],
    [
      'a client that would serve',
      kubeletClientProblem,
      {},
      [...client, 'server auth'],
      'usages did not match [client auth digital signature key encipherment]',
    ],
    [
      'a client without its usage',
      kubeletClientProblem,
      {},
      ['digital signature'],
      'usages did not match [client auth digital signature key encipherment]',
    ],
    ['a server', kubeletServingProblem, { dnsNames }, server, undefined],
    ['a server without names', kubeletServingProblem, {}, server, 'DNS or IP subjectAltName is required'],
    [
      'a server with mail',
      kubeletServingProblem,
      { dnsNames, emailAddresses: ['a@b'] },
      server,
      'Email subjectAltNames are not allowed',
    ],
    [
      'a server as client',
      kubeletServingProblem,
      { dnsNames },
      client,
      'usages did not match [digital signature key encipherment server auth]',
    ],
    [
      'a server of another name',
      kubeletServingProblem,
      { dnsNames, commonName: 'n' },
      server,
      'subject common name does not begin with system:node:',
    ],
  ] as const) {
    it(`${what}: ${problem ?? 'may have it'}`, () => assert.equal(rule(read(names), usages), problem));
  }
});

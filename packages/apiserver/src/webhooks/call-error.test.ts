import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFailure, describeStatus, failureIn } from './call-error.js';

const failed = (facts: object): Error => Object.assign(new Error('words of Node.js'), facts);

describe('the description of a connection failure', () => {
  const unverified = 'tls: failed to verify certificate: x509: ';
  const cases: readonly (readonly [name: string, error: unknown, words: string])[] = [
    [
      'a refused connection',
      failed({ code: 'ECONNREFUSED', address: '10.0.0.1', port: 443 }),
      'dial tcp 10.0.0.1:443: connect: connection refused',
    ],
    [
      'a refused connection over IPv6',
      failed({ code: 'ECONNREFUSED', address: '::1', port: 443 }),
      'dial tcp [::1]:443: connect: connection refused',
    ],
    ['a host without a route', failed({ code: 'EHOSTUNREACH' }), 'dial tcp: connect: no route to host'],
    ['a network without a route', failed({ code: 'ENETUNREACH' }), 'dial tcp: connect: network is unreachable'],
    [
      'an unknown name',
      failed({ code: 'ENOTFOUND', hostname: 'hook.ours' }),
      'dial tcp: lookup hook.ours: no such host',
    ],
    ['a closed connection', failed({ code: 'ECONNRESET' }), 'EOF'],
    [
      'an expired certificate',
      failed({ code: 'CERT_HAS_EXPIRED' }),
      `${unverified}certificate has expired or is not yet valid`,
    ],
    [
      'a certificate of an unknown authority',
      failed({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }),
      `${unverified}certificate signed by unknown authority`,
    ],
    ['any other error', failed({ code: 'EPIPE' }), 'words of Node.js'],
    ['a value that is not an error', 'odd', 'odd'],
  ];
  for (const [name, error, words] of cases)
    it(`is in the words of Go for ${name}`, () => assert.equal(describeFailure(error), words));

  it('is that of a deadline after a timeout, whatever failed', () => {
    assert.equal(describeFailure(failed({ code: 'ECONNRESET' }), true), 'context deadline exceeded');
  });

  const names: readonly (readonly [host: string, subjectaltname: string | undefined, words: string])[] = [
    [
      'a.example',
      'DNS:b.example, DNS:c.example, IP Address:10.0.0.1',
      'certificate is valid for b.example, c.example, not a.example',
    ],
    ['a.example', 'IP Address:10.0.0.1', 'certificate is not valid for any names, but wanted to match a.example'],
    ['a.example', undefined, 'certificate relies on legacy Common Name field, use SANs instead'],
    ['10.0.0.2', 'DNS:b.example, IP Address:10.0.0.1', 'certificate is valid for 10.0.0.1, not 10.0.0.2'],
    ['10.0.0.2', 'DNS:b.example', "cannot validate certificate for 10.0.0.2 because it doesn't contain any IP SANs"],
  ];
  for (const [host, subjectaltname, words] of names) {
    it(`names the names of a certificate: ${words}`, () => {
      const error = failed({ code: 'ERR_TLS_CERT_ALTNAME_INVALID', host, cert: { subjectaltname } });
      assert.equal(describeFailure(error), `${unverified}${words}`);
    });
  }
});

describe('the failure in a body', () => {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'not today' };
  const cases: readonly (readonly [name: string, body: string, message: string | undefined])[] = [
    ['a Status', JSON.stringify(status), 'not today'],
    ['a Status without kind and version', '{"status":"Failure","message":"no"}', 'no'],
    ['a success', JSON.stringify({ ...status, status: 'Success' }), undefined],
    ['another kind', JSON.stringify({ ...status, kind: 'Pod' }), undefined],
    ['another version', JSON.stringify({ ...status, apiVersion: 'v2' }), undefined],
    ['no message', JSON.stringify({ ...status, message: '' }), undefined],
    ['a message that is not text', JSON.stringify({ ...status, message: 1 }), undefined],
    ['a list', '[]', undefined],
    ['no JSON', 'not today', undefined],
  ];
  for (const [name, body, message] of cases) {
    it(`is ${message ?? 'unknown'} for ${name}`, () => assert.equal(failureIn(Buffer.from(body)), message));
  }

  it('is not looked for in a long body', () => {
    const body = (length: number) => Buffer.from(JSON.stringify({ ...status, padding: ' '.repeat(length) }));
    assert.equal(failureIn(body(60_000)), 'not today');
    assert.equal(failureIn(body(70_000)), undefined);
  });
});

describe('the message for a status', () => {
  const cases: readonly (readonly [status: number, message: string])[] = [
    [302, 'the server responded with the status code 302 but did not return more information'],
    [400, 'the server rejected our request for an unknown reason'],
    [401, 'the server has asked for the client to provide credentials'],
    [403, 'why'],
    [404, 'the server could not find the requested resource'],
    [405, 'the server does not allow this method on the requested resource'],
    [406, 'why'],
    [409, 'the server reported a conflict'],
    [415, 'why'],
    [422, 'the server rejected our request due to an error in our request'],
    [429, 'the server has received too many requests and has asked us to try again later'],
    [500, 'an error on the server ("why") has prevented the request from succeeding'],
    [502, 'an error on the server ("why") has prevented the request from succeeding'],
    [503, 'the server is currently unable to handle the request'],
    [504, 'the server was unable to return a response in the time allotted, but may still be processing the request'],
  ];
  for (const [status, message] of cases)
    it(`is that of client-go for ${status}`, () => assert.equal(describeStatus(status, 'why'), message));

  it('has words for a 406 without a body', () => {
    const message = 'the server was unable to respond with a content type that the client supports';
    assert.equal(describeStatus(406, ''), message);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { type RequestHeaderOptions, requestHeaderAuthenticator } from './request-header.js';

const options: RequestHeaderOptions = {
  allowedNames: ['front-proxy'],
  usernameHeaders: ['x-remote-user', 'x-other-user'],
  uidHeaders: ['x-remote-uid'],
  groupHeaders: ['x-remote-group'],
  extraHeaderPrefixes: ['x-remote-extra-'],
};

describe('requestHeaderAuthenticator', () => {
  function ask(
    headers: Readonly<Record<string, readonly string[]>>,
    { commonName = 'front-proxy', now = 5, given = options } = {},
  ) {
    const certificate = { commonName, organizations: [], validity: [{ notBefore: 0, notAfter: 10 }] };
    const headerValues = (name: string) => headers[name] ?? [];
    const frontProxy = { certificate, headerNames: Object.keys(headers), headerValues };
    return requestHeaderAuthenticator(given, () => now).authenticate({ frontProxy });
  }

  it('takes name, uid, groups and extra', () => {
    const headers = {
      'x-remote-user': ['jane'],
      'x-remote-uid': ['u-1'],
      'x-remote-group': ['a', '', 'b'],
      'x-remote-extra-example.org%2fscope': ['one', 'two'],
      'x-remote-extra-bad%zz': ['three'],
      'x-remote-extra-%e2%82y%c3%a9': ['five'],
      'x-remote-extra-__proto__': ['four'],
    };
    assert.deepEqual(ask(headers), {
      name: 'jane',
      uid: 'u-1',
      groups: ['a', 'b'],
      extra: Object.fromEntries([
        ['example.org/scope', ['one', 'two']],
        ['bad%zz', ['three']],
        ['\ufffd\ufffdyé', ['five']],
        ['__proto__', ['four']],
      ]),
    });
  });

  it('takes the first name that is not empty', () => {
    assert.deepEqual(ask({ 'x-remote-user': [''], 'x-other-user': ['jane'] }), {
      name: 'jane',
      uid: '',
      groups: [],
      extra: {},
    });
  });

  it('leaves requests without a name, or without a proxy, to others', () => {
    assert.equal(ask({ 'x-remote-group': ['system:masters'] }), undefined);
    assert.equal(requestHeaderAuthenticator(options, () => 5).authenticate({}), undefined);
  });

  it('refuses a client certificate that belongs to no front proxy, which another authenticator may accept', () => {
    const certificate = { commonName: 'jane', organizations: [], validity: [{ notBefore: 0, notAfter: 10 }] };
    const authenticator = requestHeaderAuthenticator(options, () => 5);
    assert.throws(() => authenticator.authenticate({ certificate }), {
      cause: 'x509: certificate signed by unknown authority',
    });
  });

  it('refuses other certificates of the authority, and those out of date', () => {
    const headers = { 'x-remote-user': ['root'] };
    const isRefusal = (cause: string) => (error: unknown) =>
      error instanceof StatusError && error.code === 401 && error.cause === cause;
    const other = 'x509: subject with cn=other is not in the allowed list';
    assert.throws(() => ask(headers, { commonName: 'other' }), isRefusal(other));
    assert.throws(() => ask(headers, { now: 11 }), isRefusal('x509: certificate has expired or is not yet valid'));
    const any = { ...options, allowedNames: [] };
    assert.ok(ask(headers, { commonName: 'other', given: any }));
  });
});

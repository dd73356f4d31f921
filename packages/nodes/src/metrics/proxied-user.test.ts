import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { TLSSocket } from 'node:tls';
import type { FrontProxies } from '@binnacle/client/delegation';
import { proxiedUser } from './proxied-user.js';

const trust: FrontProxies = {
  authorities: [],
  allowedNames: ['front-proxy'],
  usernameHeaders: ['X-Remote-User', 'X-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};

const PERIOD = { valid_from: 'Jan  1 00:00:00 2027 GMT', valid_to: 'Jan  1 00:00:00 2028 GMT' };
const NOW = Date.UTC(2027, 5, 1);

interface Connection {
  readonly authorized?: boolean;
  readonly subject?: { readonly CN?: string };
}

type Headers = readonly (readonly [string, string])[];

function withHeaders(message: IncomingMessage, headers: Headers): IncomingMessage {
  const distinct: NodeJS.Dict<string[]> = {};
  for (const [name, value] of headers) (distinct[name.toLowerCase()] ??= []).push(value);
  return Object.assign(message, { headersDistinct: distinct });
}

/** A request over a connection whose handshake is over. */
function request(
  headers: Headers,
  { authorized = true, subject = { CN: 'front-proxy' } }: Connection = {},
): IncomingMessage {
  const socket = new TLSSocket(new Socket());
  const message = new IncomingMessage(
    Object.assign(socket, { authorized, getPeerCertificate: () => ({ subject, ...PERIOD }) }),
  );
  return withHeaders(message, headers);
}

const JANE = ['X-Remote-User', 'jane'] as const;

describe('the user in the headers of a front proxy', () => {
  it('has a name, a uid, groups and extra values', () => {
    const headers = [
      JANE,
      ['X-Remote-Uid', '42'],
      ['X-Remote-Group', 'a'],
      ['x-remote-group', 'b'],
      ['X-Remote-Group', 'a'],
      ['X-Remote-Extra-Scopes', 'read'],
      ['X-Remote-Extra-Scopes', 'write'],
      ['X-Remote-Extra-Example.com%2Fproject', 'p'],
      ['X-Remote-Extra-Half%', 'h'],
      ['Accept', '*/*'],
    ] as const;
    assert.deepEqual(proxiedUser(request(headers), trust, NOW), {
      name: 'jane',
      uid: '42',
      groups: ['a', 'b', 'system:authenticated'],
      extra: { scopes: ['read', 'write'], 'example.com/project': ['p'], 'half%': ['h'] },
    });
  });

  const plain = { uid: '', groups: ['system:authenticated'], extra: {} };
  const cases: Record<string, [IncomingMessage, FrontProxies, ReturnType<typeof proxiedUser>]> = {
    'comes from the first header with a value': [
      request([
        ['X-Remote-User', ''],
        ['X-User', 'joe'],
      ]),
      trust,
      { name: 'joe', ...plain },
    ],
    'is UTF-8': [request([['X-Remote-User', Buffer.from('zoë').toString('latin1')]]), trust, { name: 'zoë', ...plain }],
    'may be anonymous': [
      request([['X-Remote-User', 'system:anonymous']]),
      trust,
      { name: 'system:anonymous', ...plain, groups: [] },
    ],
    'may come from any proxy': [
      request([JANE], { subject: { CN: 'other' } }),
      { ...trust, allowedNames: [] },
      { name: 'jane', ...plain },
    ],
    'is missing without a header': [request([]), trust, undefined],
    'is missing for another certificate': [request([JANE], { subject: { CN: 'other' } }), trust, undefined],
    'is missing for a certificate without a name': [
      request([JANE], { subject: {} }),
      { ...trust, allowedNames: [] },
      undefined,
    ],
    'is missing for an unverified certificate': [request([JANE], { authorized: false }), trust, undefined],
  };
  for (const [title, [message, proxies, expected]] of Object.entries(cases)) {
    it(title, () => assert.deepEqual(proxiedUser(message, proxies, NOW), expected));
  }

  it('is missing without TLS', () => {
    const message = withHeaders(new IncomingMessage(new Socket()), [JANE]);
    assert.equal(proxiedUser(message, trust, NOW), undefined);
  });

  it('is missing once the certificate of an open connection has expired', () => {
    const message = request([JANE]);
    assert.equal(proxiedUser(message, trust, NOW)?.name, 'jane');
    for (const now of [Date.UTC(2028, 0, 2), Date.UTC(2026, 11, 31)]) {
      assert.equal(proxiedUser(message, trust, now), undefined);
    }
  });
});

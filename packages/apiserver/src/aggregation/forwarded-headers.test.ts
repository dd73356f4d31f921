import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, it } from 'node:test';
import { forwardedHeaders, userHeadersOf } from './forwarded-headers.js';

const user = {
  name: 'jane',
  uid: 'u-1',
  groups: ['a', 'b'],
  extra: { 'example.org/Scope': ['x'], 'a b%': ['y', 'z'] },
};

function forward(headers: IncomingHttpHeaders, more: Partial<Parameters<typeof forwardedHeaders>[1]> = {}) {
  const request = {
    headers,
    headerValues: (name: string) => [headers[name] ?? []].flat(),
    remoteAddress: '192.0.2.9',
  };
  const options = {
    user,
    auditId: 'id',
    authority: '10.0.0.1:443',
    path: '/apis/g/v1',
    userHeaders: { names: [], prefixes: [] },
    upgrade: false,
    hasBody: false,
  };
  return forwardedHeaders(request, { ...options, ...more });
}

const added = {
  host: '10.0.0.1:443',
  'audit-id': 'id',
  'x-forwarded-for': '192.0.2.9',
  'x-forwarded-host': '10.0.0.1:443',
  'x-forwarded-proto': 'https',
  'x-forwarded-uri': '/apis/g/v1',
  'x-remote-user': 'jane',
  'x-remote-uid': 'u-1',
  'x-remote-group': ['a', 'b'],
  'x-remote-extra-example.org%2fscope': ['x'],
  'x-remote-extra-a%20b%25': ['y', 'z'],
};

describe('forwardedHeaders', () => {
  it('names the user, and where the request comes from', () => {
    assert.deepEqual(forward({ accept: '*/*' }), { accept: ['*/*'], ...added });
    assert.equal(forward({ 'x-forwarded-for': '9.9.9.9' })['x-forwarded-for'], '9.9.9.9, 192.0.2.9');
    assert.equal(forward({}, { path: '/a//b/' })['x-forwarded-uri'], '/a/b/');
  });

  it('passes no credential, no forged identity and nothing of the connection on', () => {
    const dropped = {
      authorization: 'Bearer secret',
      'x-remote-user': 'root',
      'x-remote-group': 'system:masters',
      'x-remote-extra-a': 'b',
      'x-remote-uid': '0',
      'x-named-by-proxy': 'root',
      'impersonate-user': 'root',
      connection: 'keep-alive, X-Hop',
      'x-hop': '1',
      'transfer-encoding': 'chunked',
      upgrade: 'h2c',
      te: 'gzip, trailers',
      expect: '100-continue',
      ':path': '/x',
    };
    const userHeaders = { names: ['x-user'], prefixes: ['x-named-by-'] };
    const kept = { 'x-user-preference': 'dark' };
    const sent = forward({ ...dropped, 'x-user': 'root', ...kept }, { userHeaders });
    assert.deepEqual(sent, { te: 'trailers', 'x-user-preference': ['dark'], ...added });
  });

  it('asks for the protocol of an upgrade, without the token in its sub-protocols', () => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'k',
      'sec-websocket-protocol': 'base64url.bearer.authorization.k8s.io.c2VjcmV0, v5.channel.k8s.io',
    };
    assert.deepEqual(forward(headers, { upgrade: true }), {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': ['k'],
      'sec-websocket-protocol': 'v5.channel.k8s.io',
      ...added,
    });
  });

  it('passes no token in a sub-protocol on, even if no other is asked for', () => {
    const token = { 'sec-websocket-protocol': 'base64url.bearer.authorization.k8s.io.c2VjcmV0' };
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
    assert.deepEqual(forward({ ...upgrade, ...token }, { upgrade: true }), { ...upgrade, ...added });
    assert.deepEqual(forward(token), added);
  });

  it('declares a body exactly when one follows', () => {
    const cases: readonly (readonly [IncomingHttpHeaders, hasBody: boolean, IncomingHttpHeaders | object])[] = [
      [{ 'content-length': '7' }, false, {}],
      [{ 'transfer-encoding': 'chunked' }, false, {}],
      [{ 'content-length': '7' }, true, { 'content-length': ['7'] }],
      [{}, true, { 'transfer-encoding': 'chunked' }],
      [{ connection: 'content-length', 'content-length': '7' }, true, { 'transfer-encoding': 'chunked' }],
    ];
    for (const [headers, hasBody, framing] of cases) {
      assert.deepEqual(forward(headers, { hasBody }), { ...framing, ...added });
    }
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
    const sent = forward({ ...upgrade, 'content-length': '7' }, { upgrade: true });
    assert.deepEqual(sent, { ...upgrade, ...added });
  });

  it('sends names as bytes of UTF-8', () => {
    const headers = userHeadersOf({ name: 'jürgen', uid: '', groups: [], extra: {} });
    assert.deepEqual(headers, { 'x-remote-user': Buffer.from('jürgen').toString('latin1') });
  });
});

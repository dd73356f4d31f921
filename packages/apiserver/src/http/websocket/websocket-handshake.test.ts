import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, it } from 'node:test';
import { negotiateHandshake, validateHandshake } from './websocket-handshake.js';

const good: IncomingHttpHeaders = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  origin: 'https://dashboard.example',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
};

function statusOf(headers: IncomingHttpHeaders): number {
  const judged = validateHandshake({ ...good, ...headers });
  return 'status' in judged ? judged.status : 101;
}

function protocolOf(header: string): string | undefined {
  const judged = validateHandshake({ ...good, 'sec-websocket-protocol': header });
  return 'status' in judged ? String(judged.status) : judged.protocol;
}

describe('validateHandshake', () => {
  it('wants a key, the version and an origin', () => {
    assert.equal(statusOf({}), 101);
    assert.equal(statusOf({ 'sec-websocket-key': '' }), 400);
    assert.equal(statusOf({ 'sec-websocket-key': 'short' }), 400);
    assert.equal(statusOf({ 'sec-websocket-version': '8' }), 400);
    assert.equal(statusOf({ origin: '' }), 403);
    assert.equal(statusOf({ origin: 'null' }), 403);
    assert.equal(statusOf({ origin: 'https://a b/' }), 403);
    assert.equal(statusOf({ origin: 'chrome-extension://abc' }), 101);
  });

  it('answers with the one sub-protocol that was named, never with a token', () => {
    const token = 'base64url.bearer.authorization.k8s.io.YWJj';
    assert.equal(protocolOf(''), undefined);
    assert.equal(protocolOf('anything'), 'anything');
    assert.equal(protocolOf(` base64.binary.k8s.io, ${token}`), 'base64.binary.k8s.io');
    assert.equal(protocolOf(token), undefined);
    assert.equal(protocolOf('a, b'), '400');
    assert.equal(protocolOf('a,'), '400');
    assert.equal(protocolOf('a b'), '400');
  });
});

describe('negotiateHandshake', () => {
  const judge = (
    headers: IncomingHttpHeaders,
    protocols: readonly string[],
    isProtocolOptional = false,
  ): number | string => {
    const judged = negotiateHandshake({ ...good, origin: undefined, ...headers }, protocols, isProtocolOptional);
    return 'status' in judged ? judged.status : (judged.protocol ?? '');
  };
  const named = (protocol: string): IncomingHttpHeaders => ({ 'sec-websocket-protocol': protocol });

  it('takes the first of the client’s sub-protocols that both speak, from any origin', () => {
    assert.equal(judge(named('v5, v4'), ['v4', 'v5']), 'v5');
    assert.equal(judge(named('v6, v4'), ['v4', 'v5']), 'v4');
    assert.equal(judge({}, ['', 'v4']), '');
  });

  it('refuses a client that speaks no other, unless the protocol is optional', () => {
    assert.equal(judge(named('v6'), ['v4']), 403);
    assert.equal(judge({}, ['v4']), 403);
    assert.equal(judge(named('v6'), ['v4'], true), '');
  });

  it('wants a key and the version', () => {
    assert.equal(judge({ 'sec-websocket-key': '' }, ['']), 400);
    assert.equal(judge({ 'sec-websocket-version': '8' }, [''], true), 400);
  });
});

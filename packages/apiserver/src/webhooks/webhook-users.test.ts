import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostPortOf } from './call-target.js';
import type { CallCredentials } from './credentialed-connections.js';
import { credentialsForHost } from './webhook-users.js';

/** The name of the user that is chosen for a host. */
function chosen(hostPort: string, names: readonly string[], currentUser?: string): string | undefined {
  const users = new Map<string, CallCredentials>(names.map((name) => [name, { credentials: () => ({}) }]));
  const found = credentialsForHost(hostPort, { users, currentUser });
  return names.find((name) => users.get(name) === found);
}

// Upstream's table is in apiserver `pkg/util/webhook/authentication_test.go`.
for (const [hostPort, names, expected] of [
  ['a.b.svc:443', ['a.b.svc:443', 'a.b.svc', '*'], 'a.b.svc:443'],
  ['a.b.svc:443', ['*.b.svc:443', 'a.b.svc'], '*.b.svc:443'],
  ['a.b.svc:443', ['a.b.svc', '*.svc'], 'a.b.svc'],
  ['a.b.svc:443', ['*.svc', '*'], '*.svc'],
  ['a.b.svc:8443', ['a.b.svc', '*.svc', '*'], '*'],
  ['a.b.svc:8443', ['*.svc:8443', '*'], '*.svc:8443'],
  ['a.b.svc:443', ['b.svc'], undefined],
] as const) {
  test(`of ${names.join(', ')}, ${hostPort} gets ${expected ?? 'none'}`, () => {
    assert.equal(chosen(hostPort, names), expected);
  });
}

test('the user of the current context is the last choice', () => {
  assert.equal(chosen('a:443', ['it', '*'], 'it'), '*');
  assert.equal(chosen('a:443', ['it'], 'it'), 'it');
});

test('a webhook is known by its host and port', () => {
  assert.equal(hostPortOf({ url: 'https://a.example/x' }), 'a.example:443');
  assert.equal(hostPortOf({ url: 'https://a.example:8443/x' }), 'a.example:8443');
  assert.equal(hostPortOf({ service: { name: 'a', namespace: 'b' } }), 'a.b.svc:443');
  assert.equal(hostPortOf({ service: { name: 'a', namespace: 'b', port: 9 } }), 'a.b.svc:9');
});

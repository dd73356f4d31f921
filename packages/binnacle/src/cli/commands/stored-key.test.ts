import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedKey } from './stored-key.js';

test('objects have the keys of kube-apiserver', () => {
  assert.equal(storedKey('Secret', 'default/db'), '/registry/secrets/default/db');
  assert.equal(storedKey('svc', 'default/web'), '/registry/services/specs/default/web');
  assert.equal(storedKey('deployments.apps', 'default/web'), '/registry/deployments/default/web');
  assert.equal(storedKey('node', 'one'), '/registry/minions/one');
  assert.equal(storedKey('ferries.example.com', 'default/a'), '/registry/example.com/ferries/default/a');
  for (const [kind, name] of [
    ['secrets', 'db'],
    ['secrets', 'a/b/c'],
    ['secrets', '/db'],
    ['secrets', 'default/'],
    ['nodes', 'default/one'],
  ] as const) {
    assert.throws(() => storedKey(kind, name), /is not (NAMESPACE\/)?NAME of /);
  }
  assert.throws(() => storedKey('nosuch', 'a'), /"nosuch" is no kind of this release/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedKey } from './stored-key.js';

test('objects have the keys of kube-apiserver', () => {
  assert.equal(storedKey('Secret', 'default/db'), '/registry/secrets/default/db');
  assert.equal(storedKey('svc', 'default/web'), '/registry/services/specs/default/web');
  for (const kind of ['deployments.apps', 'deployments.v1.apps']) {
    assert.equal(storedKey(kind, 'default/web'), '/registry/deployments/default/web');
  }
  assert.equal(storedKey('node', 'one'), '/registry/minions/one');
  assert.equal(storedKey('ferries.example.com', 'default/a'), '/registry/example.com/ferries/default/a');
  for (const [kind, name] of [
    ['secrets', 'db'],
    ['secrets', 'a/b/c'],
    ['secrets', '/db'],
    ['secrets', 'default/'],
    ['nodes', 'default/one'],
    ['ferries.example.com', 'a/b/c'],
    ['ferries.example.com', 'default/'],
    ['ferries.example.com', ''],
  ] as const) {
    assert.throws(() => storedKey(kind, name), /is not (NAMESPACE\/)?NAME of /);
  }
  for (const kind of ['nosuch', 'secrets.v1', 'ferries.example.com.']) {
    assert.throws(() => storedKey(kind, 'a'), /^Error: "[a-z0-9.]+" is not a kind of this release/);
  }
});

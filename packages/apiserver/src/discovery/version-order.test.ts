import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions } from './version-order.js';

test('versions are ordered by stage, then number, then name', () => {
  const stable = ['v10', 'v2', 'v1'];
  const unstable = ['v11beta2', 'v3beta10', 'v3beta2', 'v12alpha1', 'v11alpha2'];
  const ordered = [...stable, ...unstable, 'foo1', 'foo10', 'v0', 'v1gamma1'];
  for (const [index, version] of ordered.entries()) {
    assert.equal(compareVersions(version, version), 0);
    for (const later of ordered.slice(index + 1)) {
      assert.ok(compareVersions(version, later) < 0, `${version} before ${later}`);
      assert.ok(compareVersions(later, version) > 0, `${later} after ${version}`);
    }
  }
});

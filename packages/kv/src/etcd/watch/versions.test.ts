import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasReliableProgress } from './versions.js';

test('which versions of etcd answer progress requests correctly', () => {
  const yes = ['3.4.31', '3.4.40', '3.5.13', '3.5.21', '3.6.0', '3.6.0-rc.1', '4.0.0', 'v3.5.13'];
  const no = ['3.4.23', '3.4.30', '3.5.0', '3.5.12', '3.3.31', '2.9.99', '', 'unknown', '3.5'];
  for (const version of yes) assert.equal(hasReliableProgress(version), true, version);
  for (const version of no) assert.equal(hasReliableProgress(version), false, version);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warnOf } from './strict-warnings.js';

test('each duplicate key of YAML is a warning, as is each other strict error', () => {
  const warnings: string[] = [];
  warnOf({ warn: (text) => void warnings.push(text) }, [
    'yaml: unmarshal errors:\n  line 2: key "a" already set in map\n  line 3: key "c" already set in map',
    'unknown field "spec.x"',
  ]);
  assert.deepEqual(warnings, [
    'line 2: key "a" already set in map',
    'line 3: key "c" already set in map',
    'unknown field "spec.x"',
  ]);
});

import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { it } from 'node:test';
import { baseDirectory } from './base-directory.js';

it('a base directory follows its variable when that is absolute', () => {
  assert.equal(baseDirectory('data', { XDG_DATA_HOME: '/x' }), '/x');
  assert.equal(baseDirectory('data', { XDG_DATA_HOME: 'x', XDG_CACHE_HOME: '/y' }), `${homedir()}/.local/share`);
  assert.equal(baseDirectory('cache', { XDG_DATA_HOME: '/x', XDG_CACHE_HOME: '/y' }), '/y');
  assert.equal(baseDirectory('cache', {}), `${homedir()}/.cache`);
});

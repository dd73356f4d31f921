import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeDirectory } from './index.js';

describe('makeDirectory', () => {
  it('creates parents, and leaves an existing directory unchanged', () => {
    const parent = mkdtempSync(join(tmpdir(), 'directories-'));
    try {
      const directory = join(parent, 'a', 'b');
      makeDirectory(directory);
      assert.equal(statSync(directory).mode & 0o777, 0o700);
      assert.equal(statSync(join(parent, 'a')).mode & 0o777, 0o700);
      mkdirSync(join(parent, 'open'));
      chmodSync(join(parent, 'open'), 0o755);
      makeDirectory(join(parent, 'open'));
      assert.equal(statSync(join(parent, 'open')).mode & 0o777, 0o755);
    } finally {
      rmSync(parent, { recursive: true });
    }
  });

  it('fails if a file is in the way', () => {
    const parent = mkdtempSync(join(tmpdir(), 'directories-'));
    try {
      const file = join(parent, 'file');
      writeFileSync(file, '');
      assert.throws(() => makeDirectory(file), { code: 'EEXIST' });
      assert.throws(() => makeDirectory(join(file, 'below')), { code: 'ENOTDIR' });
    } finally {
      rmSync(parent, { recursive: true });
    }
  });

  it('fails at once if no directory can be created', { skip: process.platform !== 'linux' && 'needs /proc' }, () => {
    for (const path of ['/proc/binnacle', '/proc/binnacle/below']) {
      assert.throws(() => makeDirectory(path), { code: 'ENOENT', path: '/proc/binnacle' });
    }
  });
});

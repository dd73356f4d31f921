import assert from 'node:assert/strict';
import { closeSync, existsSync, linkSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStoreFile } from './store-file.js';

function inDirectory(run: (directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'kv-store-file-'));
  try {
    run(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe('a file of a store', () => {
  it('is created for the owner alone', () =>
    inDirectory((directory) => {
      const file = join(directory, 'commits');
      closeSync(openStoreFile(file, join(directory, 'data.mdb')));
      assert.equal(statSync(file).mode & 0o777, 0o600);
    }));

  it('is neither a symbolic link, also to nothing, nor a second name of a file', () =>
    inDirectory((directory) => {
      const [victim, absent] = [join(directory, 'victim'), join(directory, 'absent')];
      writeFileSync(victim, 'text');
      symlinkSync(victim, join(directory, 'link'));
      symlinkSync(absent, join(directory, 'dangling'));
      linkSync(victim, join(directory, 'name'));
      for (const name of ['link', 'dangling']) {
        assert.throws(() => openStoreFile(join(directory, name), victim), { code: 'ELOOP' });
      }
      assert.throws(() => openStoreFile(join(directory, 'name'), victim), { code: 'unavailable' });
      assert.equal(existsSync(absent), false);
    }));
});

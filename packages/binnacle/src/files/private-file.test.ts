import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { describeFileError, ensurePrivateDirectory, readTextIfPresent, writePrivateFile } from './index.js';

describe('private file', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'private-file-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('replaces a file that others can read by one that they cannot', async () => {
    const path = join(directory, 'file');
    writeFileSync(path, 'old');
    chmodSync(path, 0o644);
    await writePrivateFile(path, 'new');
    assert.equal(readFileSync(path, 'utf8'), 'new');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(directory), ['file']);
  });

  it('refuses a pipe, and neither reads nor replaces it', { skip: process.platform === 'win32' }, async () => {
    const pipe = join(directory, 'pipe');
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
    const error: unknown = await writePrivateFile(pipe, 'text').catch((reason: unknown) => reason);
    assert.equal(describeFileError(error), 'it is not a regular file');
    assert.ok(statSync(pipe).isFIFO());
    assert.deepEqual(readdirSync(directory), ['pipe']);
  });

  it('refuses a directory, and leaves no file behind', async () => {
    await ensurePrivateDirectory(join(directory, 'taken'));
    await assert.rejects(writePrivateFile(join(directory, 'taken'), 'text'), { name: 'NotAFileError' });
    assert.deepEqual(readdirSync(directory), ['taken']);
  });

  it('describes errors in plain words', async () => {
    assert.equal(await readTextIfPresent(join(directory, 'absent')), undefined);
    const error: unknown = await readTextIfPresent(directory).catch((reason: unknown) => reason);
    assert.equal(describeFileError(error), 'it is not a regular file');
    assert.equal(describeFileError(new Error('other')), undefined);
  });
});

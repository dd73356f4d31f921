import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { readText } from './index.js';

it('the text of a file, or an error with its name and the reason', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'read-text-'));
  try {
    const path = join(directory, 'file');
    await writeFile(path, 'text');
    assert.equal(await readText(path), 'text');
    await assert.rejects(readText(directory), { message: `${directory}: it is a directory` });
    const absent = join(directory, 'absent');
    await assert.rejects(readText(absent), { message: `${absent}: no such file or directory` });
  } finally {
    await rm(directory, { recursive: true });
  }
});

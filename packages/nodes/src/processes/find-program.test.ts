import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findProgram } from './find-program.js';

describe('the file of a program', () => {
  let directory = '';
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-programs-'));
    for (const folder of ['first', 'second', 'first/folder']) mkdirSync(join(directory, folder));
    for (const [file, mode] of [
      ['first/plain', 0o644],
      ['second/plain', 0o755],
      ['second/folder', 0o755],
      ['own', 0o755],
    ] as const) {
      writeFileSync(join(directory, file), '', { mode });
    }
  });
  after(() => rmSync(directory, { recursive: true }));

  const cases: readonly (readonly [title: string, name: string, path: string, found: string])[] = [
    ['is the first in the path that can run', 'plain', 'first:second', 'second/plain'],
    ['is not a folder', 'folder', 'first::second', 'second/folder'],
    ['is below the directory by its path', './own', '', 'own'],
    ['is not looked for in the path when it has a slash', 'second/plain', 'first', 'second/plain'],
  ];
  for (const [title, name, PATH, found] of cases) {
    it(title, async () => {
      assert.deepEqual(await findProgram(name, { environment: { PATH }, directory }), { path: join(directory, found) });
    });
  }

  it('may be given whole', async () => {
    const path = join(directory, 'own');
    assert.deepEqual(await findProgram(path, { environment: {}, directory: '/' }), { path });
  });

  const missing: readonly (readonly [name: string, problem: string])[] = [
    ['own', 'exec: "own": executable file not found in $PATH'],
    ['', 'exec: "": executable file not found in $PATH'],
    ['first/plain', 'exec: "first/plain": no such executable file'],
    ['./none', 'exec: "./none": no such executable file'],
    ['./first', 'exec: "./first": no such executable file'],
  ];
  for (const [name, problem] of missing) {
    it(`is missing for ${JSON.stringify(name)}`, async () => {
      assert.deepEqual(await findProgram(name, { environment: {}, directory }), { problem });
    });
  }
});

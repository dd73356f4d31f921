import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { describeCommands } from '../arguments/command-line.js';
import { completionScript } from './completion.js';

const run = promisify(execFile);
const root = describeCommands();

/** What bash offers for the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const program = `${completionScript('bash', root)}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _binnacle; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['-c', program, 'bash', 'binnacle', ...words]);
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion in bash', () => {
  for (const [words, expected] of [
    [['se'], ['serve']],
    [
      ['store', ''],
      ['check', 'repair', 'compact', 'purge', 'backup', 'restore', '--help'],
    ],
    [['store', 'restore', '--b'], ['--bump-revision']],
    [
      ['resolve', '-'],
      ['-n', '--namespace', '--kubeconfig', '-o', '--output', '--help'],
    ],
    [['completion', 'z'], ['zsh']],
    [['types', 'crds.yaml', '--f'], ['--from-server']],
  ] as const) {
    it(`after ${words.join(' ')}`, async () => assert.deepEqual(await offered(...words), expected));
  }

  it('leaves values and files to the shell', async () => {
    assert.deepEqual(await offered('serve', '--data-dir', '/tm'), []);
    assert.deepEqual(await offered('simulate', 'roll'), []);
  });
});

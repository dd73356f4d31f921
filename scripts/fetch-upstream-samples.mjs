/**
 * Copies upstream's samples of all kinds into .cache/upstream-samples: the test data of two Go modules, in the versions
 * that test/interop/components/go.mod names. Prints the folder.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { goEnvironment } from './go.mjs';
import { repositoryRoot } from './test-files.mjs';
import { giveUp } from './unpack-debian.mjs';

const samples = [
  ['k8s.io/api', 'testdata/HEAD'],
  ['k8s.io/apiextensions-apiserver', 'pkg/apis/testdata/HEAD'],
];

/** The folder of a module, which Go downloads once and checks against go.sum. */
function folderOf(module) {
  const { status, stdout, stderr, error } = spawnSync('go', ['mod', 'download', '-json', module], {
    cwd: join(repositoryRoot, 'test/interop/components'),
    encoding: 'utf8',
    env: { ...process.env, ...goEnvironment },
  });
  if (status !== 0) throw new Error(`${module}: ${error?.message ?? (stderr || stdout)}`);
  return JSON.parse(stdout).Dir;
}

try {
  const folders = samples.map(([module, folder]) => join(folderOf(module), folder));
  const target = join(repositoryRoot, '.cache/upstream-samples');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const folder of folders) cpSync(folder, target, { recursive: true });
  console.log(target);
} catch (error) {
  giveUp('fetch-upstream-samples')(error);
}

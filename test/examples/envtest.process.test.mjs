/** Runs the examples for users of envtest unchanged: Go with controller-runtime, Python with its client. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { goEnvironment, hasGo, hasPython, pythonWith, run, unless } from '../interop/programs.mjs';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const manifest = JSON.parse(readFileSync(join(root, 'packages/binnacle/package.json'), 'utf8'));
const env = { BINNACLE: `${process.execPath} ${join(root, 'packages/binnacle', manifest.bin.binnacle)}` };
/** Controller-runtime and what it needs are a thousand packages to build. */
const TIMEOUT_MS = 20 * 60_000;

it('controller-runtime: envtest over Binnacle', {
  timeout: TIMEOUT_MS,
  skip: unless(hasGo(), 'there is no go on the PATH'),
}, async () => {
  await run('go', ['test', '-count=1', './...'], {
    cwd: join(root, 'examples/envtest-go'),
    env: { ...goEnvironment, ...env },
  });
});

it('Python: pytest over Binnacle', {
  timeout: TIMEOUT_MS,
  skip: unless(hasPython(), 'there is no python3 with venv on the PATH'),
}, async () => {
  const cwd = join(root, 'examples/envtest-python');
  const python = await pythonWith(join(cwd, 'requirements.txt'));
  await run(python, ['-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'], { cwd, env });
});

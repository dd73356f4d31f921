/** Runs the examples for users of envtest unchanged: Go with controller-runtime, Python with its client. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hasGo, hasPython, noOneBuilds, pythonWith, quickGoEnvironment, run, unless } from '../interop/programs.mjs';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const manifest = JSON.parse(readFileSync(join(root, 'packages/binnacle/package.json'), 'utf8'));
const binnacle = join(root, 'packages/binnacle', manifest.bin.binnacle);
/** Controller-runtime and what it needs are a thousand packages to build. */
const TIMEOUT_MS = 20 * 60_000;

it('controller-runtime: envtest over Binnacle', {
  timeout: TIMEOUT_MS,
  skip: unless(hasGo(), 'there is no go on the PATH'),
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-envtest-'));
  try {
    const printed = await run(process.execPath, [binnacle, 'envtest', 'assets', folder]);
    await noOneBuilds();
    await run('go', ['test', '-count=1', './...'], {
      cwd: join(root, 'examples/envtest-go'),
      env: { ...quickGoEnvironment, KUBEBUILDER_ASSETS: printed.trim() },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('Python: pytest over Binnacle', {
  timeout: TIMEOUT_MS,
  skip: unless(hasPython(), 'there is no python3 with venv on the PATH'),
}, async () => {
  const cwd = join(root, 'examples/envtest-python');
  const python = await pythonWith(join(cwd, 'requirements.txt'));
  const env = { BINNACLE: `${process.execPath} ${binnacle}` };
  await run(python, ['-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'], { cwd, env });
});

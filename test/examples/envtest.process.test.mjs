/**
 * The examples for users of envtest, run as they stand: Go with controller-runtime, Python with its client. What they need is
 * fetched and built into .cache/ once.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const cache = join(root, '.cache');
const manifest = JSON.parse(readFileSync(join(root, 'packages/binnacle/package.json'), 'utf8'));
const command = `${process.execPath} ${join(root, 'packages/binnacle', manifest.bin.binnacle)}`;
/** Controller-runtime and what it needs are a thousand packages to build. */
const TIMEOUT_MS = 20 * 60_000;

const answers = (program, ...parameters) => spawnSync(program, parameters, { stdio: 'ignore' }).status === 0;

/** Why the test cannot run here, which CI does not let pass; false when it can. */
const unless = (isThere, reason) => (isThere || process.env.CI === 'true' ? false : reason);

/** Runs a program to its end; rejects with all that it has said when it fails. */
async function run(program, parameters, { cwd, env = {} }) {
  const child = spawn(program, parameters, { cwd, env: { ...process.env, BINNACLE: command, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise((done, failed) => child.once('error', failed).once('close', done));
  assert.equal(code, 0, `${program} ${parameters.join(' ')}\n${said}`);
}

it('controller-runtime: envtest over Binnacle', {
  timeout: TIMEOUT_MS,
  skip: unless(answers('go', 'version'), 'there is no go on the PATH'),
}, async () => {
  await run('go', ['test', '-count=1', './...'], {
    cwd: join(root, 'examples/envtest-go'),
    env: {
      GOMODCACHE: join(cache, 'go/modules'),
      GOCACHE: join(cache, 'go/build'),
      GOFLAGS: '-mod=readonly -modcacherw -vet=off',
      CGO_ENABLED: '0',
    },
  });
});

it('Python: pytest over Binnacle', {
  timeout: TIMEOUT_MS,
  skip: unless(answers('python3', '-c', 'import venv, ensurepip'), 'there is no python3 with venv on the PATH'),
}, async () => {
  const cwd = join(root, 'examples/envtest-python');
  const requirements = readFileSync(join(cwd, 'requirements.txt'));
  // Other requirements, another environment; the mark is written when one is whole.
  const name = createHash('sha256').update(requirements).digest('hex').slice(0, 12);
  const environment = join(cache, 'python', name);
  const python = join(environment, 'bin/python');
  if (!existsSync(join(environment, 'whole'))) {
    await mkdir(join(cache, 'python'), { recursive: true });
    await run('python3', ['-m', 'venv', '--clear', environment], { cwd });
    await run(python, ['-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt'], { cwd });
    await writeFile(join(environment, 'whole'), '');
  }
  await run(python, ['-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'], { cwd });
});

/** What the suites share: the tool chains of the machine, and servers that programs are run against. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { housekeeping } from '@binnacle/controllers/table';
import { start } from 'binnacle';

export { goEnvironment, hasGo, noOneBuilds, quickGoEnvironment } from '../../scripts/go.mjs';

export const here = dirname(fileURLToPath(import.meta.url));
/** What tool chains fetch and build stays here, for all tests. */
export const cache = resolve(here, '../../.cache');

const answers = (program, ...parameters) => spawnSync(program, parameters, { stdio: 'ignore' }).status === 0;

/** Why a suite cannot run here; false when it can, and in CI, which must have the tool chain. */
export const unless = (isThere, reason) => (isThere || process.env.CI === 'true' ? false : reason);

/** The same for suites that take so long to build that `npm test` leaves them to those who ask: `npm run interop -- name`. */
export const unlessAsked = (name, isThere, reason) =>
  process.env.BINNACLE_INTEROP !== 'all'
    ? `takes minutes to build: npm run interop -- ${name}`
    : isThere
      ? false
      : reason;

/** Runs a program to its end, and answers what it has printed; rejects with that when it fails. */
export async function run(program, parameters, { env = {}, ...options } = {}) {
  const child = spawn(program, parameters, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise((done, failed) => child.once('error', failed).once('close', done));
  assert.equal(code, 0, `${program} ${parameters.join(' ')}\n${said}`);
  return said;
}

export const hasRust = () => answers('cargo', '--version');
/** Maven, and a Java that is new enough for the programs. */
export const hasMaven = () => answers('mvn', '--version') && answers('javac', '--release', '17', '--version');
/** Runs goals of Maven in a folder: `maven(goals, env)`. */
export const mavenIn = (cwd) => (goals, env) =>
  run('mvn', ['-B', '-q', `-Dmaven.repo.local=${join(cache, 'maven')}`, ...goals], {
    cwd,
    // Debian's Maven ends with the colours of a terminal set back, though none is there. What runs for seconds needs no optimization.
    env: { ...env, MAVEN_OPTS: '-Djansi.noreset=true -XX:TieredStopAtLevel=1' },
  });
export const hasPython = () => answers('python3', '-c', 'import venv, ensurepip');

/** A Python that has what a file of requirements asks for, made once for each text of such a file. */
export async function pythonWith(requirements) {
  const name = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const environment = join(cache, 'python', name);
  const python = join(environment, 'bin/python');
  // The mark is written when the environment is whole.
  if (!existsSync(join(environment, 'whole'))) {
    await mkdir(join(cache, 'python'), { recursive: true });
    await run('python3', ['-m', 'venv', '--clear', environment]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '-r', requirements]);
    await writeFile(join(environment, 'whole'), '');
  }
  return python;
}

/** A server of its own for as long as `use` runs: `use(kubeconfigFile, server)`. The programs play the loops of workloads. */
export async function withServer(use, options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'interop-'));
  const server = await start({
    inMemory: true,
    kubeconfigFile: join(folder, 'kubeconfig'),
    controllers: housekeeping,
    scheduler: false,
    ...options,
  });
  try {
    await use(server.kubeconfigFile, server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program against a server of its own, which is started with `server`: without a word all was well. */
export const passes = (program, parameters, { env = {}, server = {}, ...options } = {}) =>
  withServer(async (kubeconfigFile) => {
    const environment = { KUBECONFIG: kubeconfigFile, ...env };
    assert.equal(await run(program, parameters, { env: environment, ...options }), '');
  }, server);

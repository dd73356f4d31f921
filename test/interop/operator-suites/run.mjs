/** Builds the test binaries of an operator, and runs them over the programs of an assets folder, as envtest finds them. */
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cache, goEnvironment, here, run } from '../programs.mjs';
import { outcomesOf } from './outcomes.mjs';

const root = join(cache, 'go/operator-suites');
const command = join(here, '../../packages/binnacle/bin/binnacle.js');

const binaryName = (path) => `${path.replaceAll('/', '-')}.test`;

/**
 * Builds the tests of all packages, and resolves to the folder of the module's files. The folder is a copy, because tests write beside their
 * sources and Go's own is shared.
 */
export async function buildSuite({ operator, module, packages }) {
  const folder = join(root, operator);
  const sources = join(folder, 'sources');
  if (!existsSync(sources)) {
    const { Dir } = JSON.parse(await run('go', ['mod', 'download', '-json', module], { env: goEnvironment }));
    await cp(Dir, `${sources}.part`, { recursive: true });
    await rename(`${sources}.part`, sources);
  }
  for (const path of packages) {
    await run('go', ['test', '-c', '-p', '2', '-ldflags=-s -w', '-o', join(folder, binaryName(path)), `./${path}`], {
      cwd: sources,
      env: goEnvironment,
    });
  }
  return folder;
}

/**
 * Runs the tests of a package. Resolves to the outcome of each by name, as `outcomesOf` reads them. `assets`: the folder
 * of the programs. `log`: the file for what the tests print.
 */
export async function runPackage(folder, path, { assets, log }) {
  const reports = await mkdtemp(join(tmpdir(), 'operator-suites-'));
  const report = join(reports, 'report.json');
  try {
    const usesGinkgo = await imports(join(folder, 'sources', path), 'github.com/onsi/ginkgo');
    // A binary ends with 1 when a test fails; the outcomes say which.
    const text = await run(
      join(folder, binaryName(path)),
      ['-test.v', '-test.timeout=20m', ...(usesGinkgo ? [`-ginkgo.json-report=${report}`] : [])],
      { cwd: join(folder, 'sources', path), env: { KUBEBUILDER_ASSETS: assets } },
    ).catch(({ message }) => message);
    await writeFile(log, text);
    return outcomesOf(text, existsSync(report) ? JSON.parse(await readFile(report, 'utf8')) : undefined);
  } finally {
    await rm(reports, { recursive: true });
  }
}

/** Whether a test of the package imports a library. */
async function imports(folder, library) {
  const tests = (await readdir(folder)).filter((name) => name.endsWith('_test.go'));
  const sources = await Promise.all(tests.map((name) => readFile(join(folder, name), 'utf8')));
  return sources.some((source) => source.includes(`"${library}`));
}

/** The folder of Binnacle's programs. */
export async function binnacleAssets() {
  const folder = join(root, 'binnacle-assets');
  await run(process.execPath, [command, 'envtest', 'assets', folder]);
  return folder;
}

/** The folder of upstream's programs. */
export async function upstreamAssets({ kubeApiserver, etcd }) {
  const folder = join(root, 'upstream-assets');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await symlink(kubeApiserver, join(folder, 'kube-apiserver'));
  await symlink(etcd, join(folder, 'etcd'));
  return folder;
}

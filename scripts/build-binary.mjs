/**
 * Writes `dist/binnacle`, a program that needs no Node.js: a copy of the running node with the command inside, as its single executable
 * application. Its native parts are those of this platform. Prints its size and the time of a start beside those of the npm form.
 * `--unpack FOLDER` also writes the native parts, as the program does on first use: for an image whose file system is read-only.
 *
 * Upstream: https://nodejs.org/docs/latest-v20.x/api/single-executable-applications.html
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { dataAssets, folder, nativeLoaders, nativeParts, require, withoutTopLevelAwait } from './binary/parts.mjs';
import { repositoryRoot } from './test-files.mjs';
import { unpack } from '../packages/binnacle/dist/native/unpack.js';

/** What node looks for in itself. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const STARTS = 5;

async function buildBinary(output) {
  const assets = Object.fromEntries(Object.values(nativeParts).map(({ name, file }) => [name, file]));
  const main = join(parts, 'main.cjs');
  await build({
    absWorkingDir: folder,
    entryPoints: ['dist/cli/main.js'],
    outfile: main,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    conditions: ['node', 'import'],
    // CommonJS has no import.meta.url. What a module resolves from its own path is resolved from that of the program.
    banner: { js: "const programUrl = require('node:url').pathToFileURL(process.execPath).href;" },
    // msgpackr must not look for its native part beside the program.
    define: { 'import.meta.url': 'programUrl', 'process.env.MSGPACKR_NATIVE_ACCELERATION_DISABLED': '"true"' },
    external: ['msgpackr-extract'],
    plugins: [nativeLoaders, dataAssets(assets), withoutTopLevelAwait],
    logLevel: 'warning',
  });
  const [configuration, blob] = [join(parts, 'sea.json'), join(parts, 'sea.blob')];
  const settings = { main, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true, assets };
  writeFileSync(configuration, JSON.stringify(settings));
  execFileSync(process.execPath, ['--experimental-sea-config', configuration], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  mkdirSync(join(output, '..'), { recursive: true });
  const program = join(parts, 'program');
  copyFileSync(process.execPath, program);
  chmodSync(program, 0o755);
  if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', program]);
  const { inject } = require('postject');
  await inject(program, 'NODE_SEA_BLOB', readFileSync(blob), {
    sentinelFuse: FUSE,
    ...(process.platform === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {}),
  });
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', program]);
  rmSync(output, { force: true });
  copyFileSync(program, output);
}

async function report(output) {
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
  const script = join(folder, 'bin/binnacle.js');
  const rows = [
    [output, [output], statSync(output).size],
    [`node ${script}`, [process.execPath, script], statSync(process.execPath).size],
  ];
  for (const [name, command, size] of rows) {
    const times = [];
    for (let index = 0; index < STARTS; index += 1) times.push(await millisecondsToReady(command));
    const median = times.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)];
    const what = command.length === 1 ? megabytes(size) : `${megabytes(size)} of node, and its packages`;
    console.log(`${name}: ${what}, ready in ${median.toFixed(0)} ms (median of ${STARTS})`);
  }
}

/** From the start of a process to its announcement. */
async function millisecondsToReady([program, ...args]) {
  const started = performance.now();
  const child = spawn(program, [...args, 'serve', '--in-memory', '--secure-port=0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: child.stdout }), 'line');
  const elapsed = performance.now() - started;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return elapsed;
}

const { values } = parseArgs({
  options: { output: { type: 'string', default: join(repositoryRoot, 'dist/binnacle') }, unpack: { type: 'string' } },
});
const parts = mkdtempSync(join(tmpdir(), 'binnacle-binary-'));
try {
  await buildBinary(values.output);
} finally {
  rmSync(parts, { recursive: true });
}
if (values.unpack !== undefined) {
  for (const { name, file } of Object.values(nativeParts)) {
    unpack({ name, content: readFileSync(file) }, values.unpack, process.getuid?.());
  }
}
await report(values.output);

/** Runs the code blocks of README.md and docs that are marked `<!-- run -->`, page by page, each against a server of its own. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { transform } from 'esbuild';
import { start } from 'binnacle';
import { findKubectls } from '../e2e/kubectl-clients.mjs';
import { findPages, readPage, root, runnableBlocks } from './documentation.mjs';

const kubectl = findKubectls().at(-1);
const skip = kubectl === undefined && process.env.CI !== 'true' ? 'there is no kubectl' : false;

const pages = findPages()
  .filter((page) => page === 'README.md' || page.startsWith('docs/'))
  .map((page) => ({ page, blocks: runnableBlocks(readPage(page)), options: optionsOf(readPage(page)) }))
  .filter(({ blocks }) => blocks.length > 0);

describe('the marked code blocks', { timeout: 600_000 }, () => {
  it('are found', () => assert.ok(pages.length >= 4, `${pages.length} pages`));

  for (const { page, blocks, options } of pages) {
    const shell = blocks.filter(({ language }) => language === 'sh');
    const programs = blocks.filter(({ language }) => language === 'ts');
    if (shell.length > 0) {
      it(`${page}: sh`, { skip, timeout: 600_000 }, () =>
        withHome(options, async (home, env) => {
          await run('bash', ['-e', '-c', shell.map(scriptOf).join('\n')], { cwd: home, env });
        }),
      );
    }
    if (programs.length > 0) {
      it(`${page}: ts`, () =>
        withHome(options, async (_, env) => {
          for (const [index, { code }] of programs.entries()) await runProgram(page, index, code, env);
        }));
    }
  }
});

/** The options of the server that a page starts: its nodes, and what they run. */
function optionsOf(text) {
  const [, nodes = 0] = /npm start -- --nodes (\d+)/.exec(text) ?? [];
  const [, processNodes = 0, imageCommand] =
    /npm start -- --process-nodes (\d+) --allow-processes --image-command "(.*)"/.exec(text) ?? [];
  const processes = { processNodes: Number(processNodes), allowProcesses: true, imageCommands: [imageCommand] };
  return { nodes: Number(nodes), ...(imageCommand === undefined ? {} : processes) };
}

/** A block whose commands are to fail has one on each line. */
function scriptOf({ mode, code }) {
  if (mode !== 'fails') return code;
  return code
    .trim()
    .split('\n')
    .map((line) => `if ${line}; then echo 'did not fail: ${line.replaceAll("'", '"')}' >&2; exit 1; fi`)
    .join('\n');
}

/** A server with its data where a user's would be, and kubectl and its plugin on the PATH. */
async function withHome(options, use) {
  const home = mkdtempSync(join(tmpdir(), 'documentation-'));
  try {
    const dataDirectory = join(home, '.local/share/binnacle');
    mkdirSync(join(home, 'bin'));
    if (kubectl !== undefined) symlinkSync(kubectl.path, join(home, 'bin/kubectl'));
    symlinkSync(join(root, 'packages/binnacle/bin/binnacle.js'), join(home, 'bin/kubectl-binnacle'));
    symlinkSync(join(root, 'examples'), join(home, 'examples'));
    const server = await start({ dataDirectory, ...options, faultInjection: true });
    try {
      const env = environment(home, join(dataDirectory, 'kubeconfig'));
      const { nodes, processNodes = 0 } = options;
      if (nodes + processNodes > 0) await untilRegistered(nodes + processNodes, env);
      await use(home, env);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Nodes register before a reader has opened a second terminal. */
async function untilRegistered(nodes, env) {
  const script = `until [ "$(kubectl get nodes -o name | wc -l)" -eq ${nodes} ]; do sleep 0.1; done`;
  await run('timeout', ['60', 'sh', '-c', script], { env });
}

/** A program with tests of its own must not take itself for a part of this one. */
function environment(home, kubeconfig) {
  const path = `${join(home, 'bin')}:${process.env.PATH}`;
  return { ...process.env, NODE_TEST_CONTEXT: undefined, HOME: home, PATH: path, KUBECONFIG: kubeconfig };
}

/** Checks and runs TypeScript from within the repository, where its imports resolve. */
async function runProgram(page, index, code, env) {
  const folder = join(root, '.cache/documentation', `${basename(page, '.md')}-${process.pid}-${index}`);
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, 'block.ts'), code);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), configuration);
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: root, env });
    const { code: javascript } = await transform(code, { loader: 'ts', format: 'esm', target: 'node20' });
    writeFileSync(join(folder, 'block.js'), javascript);
    await run(process.execPath, [join(folder, 'block.js')], { cwd: root, env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A reader's strict project. */
const configuration = JSON.stringify({
  extends: '../../../tsconfig.base.json',
  compilerOptions: { composite: false, declaration: false, declarationMap: false, noEmit: true, noUnusedLocals: false },
  files: ['block.ts'],
});

/** Runs a program to its end, and ends what it leaves in the background, which would hold its output open. */
async function run(program, parameters, options) {
  const child = spawn(program, parameters, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  child.once('exit', () => killGroup(child.pid));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  assert.equal(code, 0, output);
}

function killGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

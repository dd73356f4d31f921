/** The packages as they are published: what they hold, and that they work in a project that has nothing else. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { publint } from 'publint';
import { isThorough } from '../thorough.mjs';
import { readPage, root, runnableBlocks } from './documentation.mjs';
import { compile, importsOf, install, packAll, run, unpack } from './packed.mjs';

/** CommonJS programs load the packages with `import()`, so the rules for `require()` do not apply. */
const arethetypeswrong = [join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js'), '--profile', 'esm-only'];

const pages = ['README.md', 'packages/binnacle/README.md'];

describe('the packed packages', { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  let packages = [];
  before(async () => {
    packages = await packAll(folder);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('hold no tests and nothing that only tests use', () => {
    for (const { name, manifest, files } of packages) {
      const offered = manifest.exports['./testing'] !== undefined;
      const unwanted = files.filter(
        (path) =>
          /\.(test|testing)\.|\/testdata\/|\.tsbuildinfo$/.test(path) || (!offered && path.includes('/testing/')),
      );
      assert.deepEqual(unwanted, [], name);
    }
  });

  it('hold the sources that their maps name, and no others', () => {
    for (const { name, folder: source, files } of packages) {
      const sourcesOf = (map) => JSON.parse(readFileSync(join(source, map), 'utf8')).sources;
      const named = files
        .filter((path) => /^dist\/.*\.map$/.test(path))
        .flatMap((map) => sourcesOf(map).map((path) => posix.join(posix.dirname(map), path)));
      const held = files.filter((path) => /^src\/.*\.ts$/.test(path));
      assert.deepEqual(held.sort(), [...new Set(named)].sort(), name);
    }
  });

  it('follow the rules of publint', async () => {
    for (const { name, tarball } of packages) {
      const { buffer } = new Uint8Array(readFileSync(tarball));
      const { messages } = await publint({ pack: { tarball: buffer }, strict: true });
      assert.deepEqual(messages, [], name);
    }
  });

  const long = !isThorough && '`npm run test:thorough` runs it';
  it('have types that resolve wherever an ES module resolves', { skip: long }, async () => {
    for (const { tarball } of packages) await run(process.execPath, [...arethetypeswrong, tarball], root);
  });

  it('work in an empty project: every export, and the programs of the READMEs', async () => {
    const project = join(folder, 'project');
    mkdirSync(project);
    await (isThorough ? install : unpack)(project, packages);
    const blocks = pages.flatMap((page) => runnableBlocks(readPage(page)).filter(({ language }) => language === 'ts'));
    assert.ok(blocks.length >= pages.length, `${blocks.length} programs`);
    const importAll = packages
      .flatMap(importsOf)
      .map((specifier, index) => `import * as m${index} from '${specifier}';\nvoid m${index};\n`);
    const programs = [importAll.join(''), ...blocks.map(({ code }) => code)];
    for (const [index, code] of programs.entries()) writeFileSync(join(project, `program-${index}.ts`), code);
    await compile(project);
    for (const index of programs.keys()) await run(process.execPath, [`built/program-${index}.js`], project);
  });
});

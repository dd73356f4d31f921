import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { parseCommandLine } from '../../packages/binnacle/dist/cli/arguments/command-line.js';
import {
  anchorsOf,
  commandsOf,
  findPages,
  readPage,
  relativeLinks,
  root,
  runnableBlocks,
  sourcePathsOf,
} from './documentation.mjs';

const pages = findPages();

describe('documentation', () => {
  it('links only to files and headings that exist', () => {
    const broken = pages.flatMap((page) =>
      relativeLinks(readPage(page))
        .filter(({ path, anchor }) => !exists(page, path, anchor))
        .map(({ path, anchor }) => `${page}: ${path}#${anchor}`),
    );
    assert.deepEqual(broken, []);
  });

  it('has only commands that the command accepts', () => {
    const commands = pages.flatMap((page) => commandsOf(readPage(page)).map((args) => ({ page, args })));
    assert.ok(commands.length > 20, `${commands.length} commands`);
    const wrong = commands
      .map(({ page, args }) => ({ page, request: parseCommandLine(args) }))
      .filter(({ request }) => request.command === 'wrong')
      .map(({ page, request }) => `${page}: ${request.text}`);
    assert.deepEqual(wrong, []);
  });

  it('names only metrics that the page of metrics lists', () => {
    const listed = new Set(metricsOf(readPage('docs/metrics.md')));
    const named = pages.flatMap((page) => metricsOf(readPage(page)).map((metric) => `${page}: ${metric}`));
    assert.ok(named.length > listed.size + 5, `${named.length} metrics`);
    assert.deepEqual(
      named.filter((each) => !listed.has(each.split(': ')[1])),
      [],
    );
  });

  it('lists every page of docs in its index', () => {
    const listed = relativeLinks(readPage('docs/README.md')).map(({ path }) => normalize(join('docs', path)));
    const missing = pages.filter(
      (page) => page.startsWith('docs/') && page !== 'docs/README.md' && !listed.includes(page),
    );
    assert.deepEqual(missing, []);
  });

  it('names every room in the architecture', () => {
    const { rooms } = JSON.parse(readFileSync(join(root, 'scripts/rooms.json'), 'utf8'));
    const rows = Array.from(
      readPage('docs/architecture.md').matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$/gm),
      ([, name, list]) => list.split(', ').map((folder) => `${name}/${folder}`),
    );
    const named = new Set(rows.flat());
    assert.deepEqual(
      Object.keys(rooms).filter((room) => !named.has(room)),
      [],
    );
  });

  it('names only source files that exist in the recipes', () => {
    const paths = Array.from(readPage('docs/recipes.md').matchAll(/`([a-z]+\/src\/[a-z/.-]+)`/g), ([, path]) => path);
    assert.ok(paths.length > 20, `${paths.length} paths`);
    const missing = paths.filter((path) => !existsSync(join(root, 'packages', path)));
    assert.deepEqual(missing, []);
  });

  it('names only code and tests that exist in the pages about security', () => {
    const packages = readdirSync(join(root, 'packages'));
    const paths = ['docs/security.md', 'docs/security-trials.md'].flatMap((page) =>
      sourcePathsOf(readPage(page), packages),
    );
    assert.ok(paths.length > 300, `${paths.length} paths`);
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(root, path))),
      [],
    );
  });

  it('finds the paths of tables that have tests', () => {
    const text =
      '| what | code | test |\n| --- | --- | --- |\n| `a/b` | `exec`, `kv/locks` | `kv/x.test.ts`, `test/oracle` (`oidc`) |\n\n| a | b |\n| --- | --- |\n| c | `kv/y` |\n';
    assert.deepEqual(sourcePathsOf(text, ['kv']), [
      'packages/kv/src/locks',
      'packages/kv/src/x.test.ts',
      'test/oracle',
    ]);
  });

  it('finds the blocks that are marked', () => {
    const text = '# A\n<!-- run -->\n```sh\nls\n```\n```sh\nrm\n```\n<!-- run: fails -->\n```sh\nfalse\n```\n';
    assert.deepEqual(runnableBlocks(text), [
      { mode: undefined, language: 'sh', code: 'ls\n' },
      { mode: 'fails', language: 'sh', code: 'false\n' },
    ]);
  });

  it('reads links as renderers do', () => {
    const text = '[a](b.md#c-d) [x](https://e) `[no](code)` [`code`](f.ts)\n```\n[no](fence)\n```\n## C, d: `e`\n';
    assert.deepEqual(relativeLinks(text), [
      { path: 'b.md', anchor: 'c-d' },
      { path: 'f.ts', anchor: '' },
    ]);
    assert.deepEqual([...anchorsOf(text)], ['c-d-e']);
  });
});

function exists(page, path, anchor) {
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return false;
  return anchor === '' || !target.endsWith('.md') || anchorsOf(readPage(target)).has(anchor);
}

/** The metrics that a page names in code, without patterns such as `apiserver_flowcontrol_*`. */
function metricsOf(text) {
  return [
    ...text.matchAll(/`((?:apiserver|etcd|workqueue|process|nodejs|binnacle_memory|running|leader)_[a-z0-9_]+)`/g),
  ].map(([, name]) => name);
}

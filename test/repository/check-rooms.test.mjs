import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { checkRooms, importsOf } from '../../scripts/check-rooms.mjs';

const pureManifest = (exports) => JSON.stringify({ dependencies: { yaml: '1' }, exports });

/** Faults of a repository made of these files, beside a sound one of three rooms in two packages. */
function faultsOf(files) {
  const root = mkdtempSync(join(tmpdir(), 'check-rooms-'));
  const all = {
    'package.json': JSON.stringify({ devDependencies: { 'fast-check': '1' } }),
    'scripts/rooms.json': JSON.stringify({
      scope: '@x',
      pure: ['pure'],
      pureModules: [],
      rooms: { 'pure/low': [], 'pure/high': ['pure/low'], 'disk/store': ['pure/*'] },
    }),
    'docs/architecture.md': '| package | rooms |\n| --- | --- |\n| `pure` | a | low, high |\n| `disk` | b | store |\n',
    'packages/pure/package.json': pureManifest({ './low': './dist/low/index.js' }),
    'packages/pure/src/low/README.md': 'low',
    'packages/pure/src/low/index.ts': `export { low } from './low.js';`,
    'packages/pure/src/low/low.ts': `import { parse } from 'yaml';\nexport const low = parse;`,
    'packages/pure/src/high/README.md': 'high',
    'packages/pure/src/high/index.ts': `export {\n  low,\n} from '../low/index.js';`,
    'packages/disk/package.json': JSON.stringify({
      dependencies: { '@x/pure': '1' },
      exports: { '.': './dist/store/index.js' },
    }),
    'packages/disk/src/store/README.md': 'store',
    'packages/disk/src/store/index.ts': `import { open } from 'node:fs';\nimport type { low } from '@x/pure/low';`,
    ...files,
  };
  try {
    for (const [path, text] of Object.entries(all)) {
      if (text === undefined) continue;
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return checkRooms(root).faults.join('\n');
  } finally {
    rmSync(root, { recursive: true });
  }
}

const low = 'packages/pure/src/low/bad.ts';
const store = 'packages/disk/src/store/bad.ts';

describe('room check', () => {
  it('has nothing against a sound repository', () => assert.equal(faultsOf({}), ''));

  for (const [name, files, expected] of [
    [
      'an edge that is not allowed',
      { [low]: `import { a } from '../high/index.js';` },
      /does not let pure\/low import pure\/high/,
    ],
    ['a circle', { [low]: `export { a } from '../high/index.js';` }, /circle: pure\/low -> pure\/high -> pure\/low/],
    [
      'a circle of files in which one import is of a type alone',
      {
        'packages/pure/src/low/a.ts': `import { b } from './b.js';`,
        'packages/pure/src/low/b.ts': `import type { A } from './a.js';`,
      },
      /files import each other in a circle: packages\/pure\/src\/low\/a.ts -> .*b.ts -> .*a.ts/,
    ],
    [
      'a room that the architecture does not name',
      { 'docs/architecture.md': '| `pure` | a | low, high |\n' },
      /^docs\/architecture.md: room disk\/store is not named$/,
    ],
    [
      'a room that only the architecture names',
      { 'docs/architecture.md': '| `pure` | a | low, high |\n| `disk` | b | store, barn |\n' },
      /^docs\/architecture.md: room disk\/barn does not exist$/,
    ],
    [
      'an import past an index',
      {
        'packages/pure/package.json': pureManifest({ './low/*': './dist/low/*.js' }),
        [store]: `import { a } from '@x/pure/low/low';`,
      },
      /through its index alone/,
    ],
    [
      'an import that the package does not export',
      { [store]: `import { a } from '@x/pure/high';` },
      /packages\/pure\/package.json does not export it/,
    ],
    [
      'a relative import past an index',
      { 'packages/pure/src/high/b.ts': `import { a } from '../low/low.js';` },
      /through its index alone/,
    ],
    [
      'a test that goes past an index',
      { 'packages/pure/src/high/b.test.ts': `import { a } from '../low/low.js';` },
      /through its index alone/,
    ],
    [
      'a relative import of another package',
      { [store]: `import { a } from '../../../pure/src/low/index.js';` },
      /reaches out of the package/,
    ],
    ['a module of node in a pure package', { [low]: `import { readFileSync } from 'node:fs';` }, /no modules of node/],
    ['a module of node without its prefix', { [low]: `const fs = await import('fs');` }, /no modules of node/],
    ['a dynamic import', { [low]: `  const a = await import('../high/index.js');` }, /does not let/],
    ['a dependency that is not declared', { [store]: `import 'lmdb';` }, /lmdb is not a dependency/],
    ['a package that is not declared', { [low]: `import { a } from '@x/disk';` }, /@x\/disk is not a dependency/],
    [
      'support for tests that is not named so',
      {
        'packages/pure/src/high/cases.ts': '',
        'packages/pure/src/high/high.test.ts': `import { a } from './cases.js';`,
      },
      /^packages\/pure\/src\/high\/cases.ts: only tests import it; name it .*cases.testing.ts$/,
    ],
    [
      'an import of support for tests',
      {
        'packages/pure/src/low/low.testing.ts': '',
        'packages/pure/src/low/bad.ts': `import { a } from './low.testing.js';`,
      },
      /^packages\/pure\/src\/low\/bad.ts: imports .*low.testing.ts, which is for tests$/,
    ],
    ['a room without README', { 'packages/pure/src/low/README.md': undefined }, /pure\/src\/low: no README/],
    ['a room that is not listed', { 'packages/pure/src/new/index.ts': '' }, /new: not in scripts\/rooms.json/],
  ]) {
    it(`objects to ${name}`, () => assert.match(faultsOf(files), expected));
  }

  it('lets a room have more entry points than its index, inside and outside of its package', () => {
    const rules = {
      scope: '@x',
      pure: ['pure'],
      pureModules: [],
      entryPoints: { 'pure/low': ['types'] },
      rooms: { 'pure/low': [], 'pure/high': ['pure/low'], 'disk/store': ['pure/*'] },
    };
    const exports = { './low': './dist/low/index.js', './types/*': './dist/low/types/*.js' };
    const files = {
      'scripts/rooms.json': JSON.stringify(rules),
      'packages/pure/package.json': pureManifest(exports),
      'packages/pure/src/high/b.ts': `import { a } from '../low/types/a.js';`,
      [store]: `import { a } from '@x/pure/types/a';`,
    };
    assert.equal(faultsOf(files), '');
    assert.match(faultsOf({ ...files, [store]: `import { a } from '@x/pure/low/other';` }), /does not export it/);
  });

  it('lets a test use what only tests may', () => {
    assert.equal(
      faultsOf({
        'packages/pure/src/low/a.test.ts': `import fc from 'fast-check';\nimport { test } from 'node:test';`,
      }),
      '',
    );
  });

  it('reads every form of import, and no comment', () => {
    const source = [
      `import a from 'a';`,
      `import b, { type B } from 'b';`,
      `import * as c from 'c';`,
      `import type { D } from 'd';`,
      `export { e } from 'e';`,
      `export * from 'f';`,
      `import 'g';`,
      `const h = await import('h');`,
      ` * import { x } from 'x';`,
      `// import('y')`,
      `export const text = 'from';`,
    ].join('\n');
    assert.deepEqual(importsOf(source), ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  });
});

/**
 * Writes `packages/binnacle/bundle`, from which a server starts. Node.js spends most of a start on opening hundreds of
 * modules one by one; the bundle has a few files. A dynamic `import()` gets files of its own, so it still loads on first
 * use.
 *
 * The entries are the exports of `binnacle` in `bundle/`, and the command. Each is made from the file of the same path in
 * `dist/`. The bundle contains our own packages, and none that npm installs.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What `bin/binnacle.js` imports. */
const COMMAND = 'cli/main.js';

/** Paths in `bundle/`, as `index.js`. */
export function bundledEntries(root) {
  const text = readFileSync(join(root, 'packages/binnacle/package.json'), 'utf8');
  return [...Array.from(text.matchAll(/"\.\/bundle\/([^"]+)"/g), ([, path]) => path), COMMAND];
}

/** The files of the console's page, as one object of texts. The command's bundle takes it up as a data file. */
export const consolePage = 'packages/console/dist/page.json';

/** Throws a readable message when something cannot be bundled. */
export async function bundle(root) {
  // Imported here, because a caller of `bundledEntries` may have nothing installed yet.
  const { build } = await import('esbuild');
  await bundlePage(root, build);
  const folder = join(root, 'packages/binnacle');
  const target = join(folder, 'bundle');
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: bundledEntries(root).map((path) => join('dist', path)),
    outbase: 'dist',
    outdir: target,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    external: outsidePackages(root),
    plugins: [sharedPackages, dataFiles],
    loader: { '.json': 'file' },
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  const fromOutside = Object.keys(metafile.inputs).find((path) => path.includes('node_modules/'));
  if (fromOutside !== undefined) throw new Error(`${fromOutside}: not among the dependencies of packages/binnacle`);
  removeOld(target, new Set(Object.keys(metafile.outputs).map((path) => resolve(folder, path))));
}

async function bundlePage(root, build) {
  const folder = join(root, 'packages/console');
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: { page: 'dist/page/main.js', styles: 'src/page/styles/page.css' },
    outdir: 'dist',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    plugins: [textDecoder],
    write: false,
    logLevel: 'warning',
  });
  const textOf = (suffix) => outputFiles.find(({ path }) => path.endsWith(suffix)).text;
  const page = {
    '/': readFileSync(join(folder, 'src/page/index.html'), 'utf8'),
    '/page.js': textOf('page.js'),
    '/page.css': textOf('styles.css'),
  };
  writeFileSync(join(root, consolePage), JSON.stringify(page));
}

/** The pure packages use one module of Node.js, for bytes that the page decodes by itself. */
const textDecoder = {
  name: 'text decoder',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:buffer$/ }, () => ({ path: 'buffer', namespace: 'browser', sideEffects: false }));
    onLoad({ filter: /.*/, namespace: 'browser' }, () => ({ contents: 'export const isUtf8 = () => true;' }));
  },
};

/** Files of earlier bundles stay for a day, for servers that run from them. */
function removeOld(target, current) {
  for (const path of readdirSync(target, { recursive: true }).map((name) => join(target, name))) {
    const status = statSync(path);
    if (!current.has(path) && status.isFile() && status.mtimeMs < Date.now() - DAY_MS) rmSync(path);
  }
}

/** The bundle resolves packages from the folder of `binnacle`, so its manifest lists the dependencies of all packages. */
function outsidePackages(root) {
  const dependenciesOf = (name) =>
    JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).dependencies ?? {};
  const own = dependenciesOf('binnacle');
  for (const name of readdirSync(join(root, 'packages'))) {
    for (const [dependency, version] of Object.entries(dependenciesOf(name))) {
      if (own[dependency] === version || dependency.startsWith('@binnacle/')) continue;
      throw new Error(
        `packages/binnacle/package.json must have "${dependency}": "${version}", as packages/${name} has`,
      );
    }
  }
  return Object.keys(own).filter((dependency) => !dependency.startsWith('@binnacle/'));
}

/**
 * Test programs import `@binnacle/client` themselves and get clients from the testing kit. Both must be one module, so that
 * `instanceof` holds for its errors.
 */
const sharedPackages = {
  name: 'shared packages',
  setup({ onResolve }) {
    onResolve({ filter: /^@binnacle\/(apimachinery|client)\// }, ({ importer }) =>
      /[\\/]binnacle[\\/]dist[\\/]testing[\\/]/.test(importer) ? { external: true } : undefined,
    );
  },
};

/** The data files that a module names: each expression, and the path relative to the module. */
export const dataFilesIn = (source) =>
  Array.from(source.matchAll(dataFile), ([expression, name]) => ({ expression, name }));

const dataFile = /new URL\('([^']+)', import\.meta\.url\)/g;

/** `new URL('../x.json', import.meta.url)`: copies the file into the bundle, and replaces the name by its address there. */
export const dataFiles = {
  name: 'data files',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta')) return undefined;
      const names = [];
      const contents = source.replace(dataFile, (_, name) => {
        names.push(name);
        return `new URL(dataFile${names.length}, import.meta.url)`;
      });
      const left = contents.replace(
        /new URL\(dataFile\d+, import\.meta\.url\)|createRequire\(import\.meta\.url\)/g,
        '',
      );
      if (left.includes('import.meta')) {
        throw new Error(`${path}: write new URL('FILE', import.meta.url); nothing else finds its way into the bundle`);
      }
      const imports = names.map((name, index) => `import dataFile${index + 1} from '${name}';`);
      return { contents: [contents, ...imports].join('\n') };
    });
  },
};

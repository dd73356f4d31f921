/**
 * Writes `packages/binnacle/bundle`: what a server is started from. Node spends most of a start on opening modules one by
 * one, and there are many hundreds; in the bundle all that is loaded together stands in a few files. What a source imports
 * with `import()` gets files of its own, so that what is loaded late stays late.
 *
 * The manifest of `binnacle` says what is bundled: each of its exports and commands that lies in `bundle/` is made from the
 * file of the same path in `dist/`. Our own packages go in; what npm installs stays outside.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Paths in `bundle/`, as `index.js`. */
export function bundledEntries(root) {
  const text = readFileSync(join(root, 'packages/binnacle/package.json'), 'utf8');
  return [...new Set(Array.from(text.matchAll(/"\.\/bundle\/([^"]+)"/g), ([, path]) => path))];
}

/** Throws, with a message for people, when there is something that cannot be bundled. */
export async function bundle(root) {
  // Here and not above: whoever asks for the entries may have nothing installed yet.
  const { build } = await import('esbuild');
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

/** A server that runs from an earlier bundle goes on finding its parts, for a day. */
function removeOld(target, current) {
  for (const path of readdirSync(target, { recursive: true }).map((name) => join(target, name))) {
    const status = statSync(path);
    if (!current.has(path) && status.isFile() && status.mtimeMs < Date.now() - DAY_MS) rmSync(path);
  }
}

/** The bundle finds them from the folder of `binnacle`, whose manifest therefore has those of all packages. */
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
 * The testing kit hands clients to programs that import `@binnacle/client` themselves: it must be the same one, or an error of
 * one would not be an error of the other.
 */
const sharedPackages = {
  name: 'shared packages',
  setup({ onResolve }) {
    onResolve({ filter: /^@binnacle\/(apimachinery|client)\// }, ({ importer }) =>
      /[\\/]binnacle[\\/]dist[\\/]testing[\\/]/.test(importer) ? { external: true } : undefined,
    );
  },
};

/** `new URL('../x.json', import.meta.url)`: the file goes into the bundle, and its address there takes the place of the name. */
export const dataFiles = {
  name: 'data files',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta')) return undefined;
      const names = [];
      const contents = source.replace(/new URL\('([^']+)', import\.meta\.url\)/g, (_, name) => {
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

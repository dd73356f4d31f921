/** The parts of the single executable besides node itself: code, data files and native parts. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { dataFilesIn } from '../bundle.mjs';
import { repositoryRoot } from '../test-files.mjs';

export const folder = join(repositoryRoot, 'packages/binnacle');
export const require = createRequire(join(folder, 'package.json'));

/** The packages that load native parts: the package that uses each, and the part that it loads. */
export const nativeParts = {
  'node-gyp-build-optional-packages': { user: 'lmdb', name: 'lmdb.node', file: lmdbFile() },
  'require-addon': {
    user: 'fs-native-extensions',
    name: 'fs-native-extensions.node',
    file: fileOf('fs-native-extensions', `prebuilds/${platform()}/fs-native-extensions.node`),
  },
};

/** `linux-x64`. */
function platform() {
  return `${process.platform}-${process.arch}`;
}

function fileOf(name, path, from = require) {
  return join(from.resolve(`${name}/package.json`), '..', path);
}

/** The build that the loader of npm packages prefers: for this version of Node.js, if there is one. */
function lmdbFile() {
  const fromLmdb = createRequire(require.resolve('lmdb'));
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  const libc = process.platform !== 'linux' ? '' : isGlibc ? '.glibc' : '.musl';
  const builds = [`abi${process.versions.modules}`, 'napi'].map((abi) =>
    fileOf(`@lmdb/lmdb-${platform()}`, `node.${abi}${libc}.node`, fromLmdb),
  );
  return builds.find(existsSync) ?? builds[0];
}

/** Puts the room `native` in the place of packages that look for native parts on disk. */
export const nativeLoaders = {
  name: 'native loaders',
  setup({ onResolve, onLoad }) {
    const names = Object.keys(nativeParts);
    onResolve({ filter: new RegExp(`^(${names.join('|')})$`) }, ({ path, importer }) => {
      // A part loads once in a process. A loader that another package calls would load the wrong one.
      const isUser = importer.includes(`/node_modules/${nativeParts[path].user}/`);
      return isUser ? { path, namespace: 'native' } : { errors: [{ text: `${importer} may not load ${path}` }] };
    });
    onLoad({ filter: /.*/, namespace: 'native' }, ({ path }) => ({
      contents: `const { loadPart } = require('./dist/native/index.js');
        module.exports = () => loadPart(${JSON.stringify(nativeParts[path].name)});`,
      resolveDir: folder,
    }));
  },
};

/** `new URL('../x.json', import.meta.url)` becomes the name of an asset, and the module reads it. */
export const dataAssets = (assets) => ({
  name: 'data assets',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^assets of the program$/ }, ({ path }) => ({ path, namespace: 'assets' }));
    onLoad({ filter: /.*/, namespace: 'assets' }, () => ({
      contents: `import { getAsset } from 'node:sea';
        export const readFileSync = (name) => getAsset(name, 'utf8');
        export const readFile = async (name) => getAsset(name, 'utf8');`,
    }));
    onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const files = dataFilesIn(source);
      if (files.length === 0) return undefined;
      const reading = /import \{ (readFile|readFileSync) \} from 'node:fs(\/promises)?';/;
      if (!reading.test(source))
        throw new Error(`${path}: read data files with readFile or readFileSync, imported alone`);
      let contents = source.replace(reading, "import { $1 } from 'assets of the program';");
      for (const { expression, name } of files) {
        const asset = basename(name);
        const file = join(path, '..', name);
        if (assets[asset] !== undefined && assets[asset] !== file)
          throw new Error(`${file}: there is another ${asset}`);
        assets[asset] = file;
        contents = contents.replace(expression, JSON.stringify(asset));
      }
      return { contents };
    });
  },
});

/** Only the main module awaits at its top, which CommonJS cannot. */
export const withoutTopLevelAwait = {
  name: 'without top-level await',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]dist[\\/]cli[\\/]main\.js$/ }, ({ path }) => {
      const lines = readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => !line.startsWith('#!'));
      const isImport = (line) => line.startsWith('import ');
      const body = lines.filter((line) => !isImport(line)).join('\n');
      return { contents: `${lines.filter(isImport).join('\n')}\nvoid (async () => {\n${body}\n})();\n` };
    });
  },
};

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** A test that kills, spawns or listens: `x.process.test.ts`. */
export const needsOwnProcess = (file) => /\.process\.test\.m?js$/.test(file);

/** The name that words are matched with: `packages/kv/embedded/x.test.js`, without the output folder of the build. */
export const nameOf = (file) => relative(repositoryRoot, file).replace('/dist/', '/');

const distFoldersIn = (folder) => readdirSync(folder).map((name) => join(folder, name, 'dist'));

/** Absolute paths of the built test files whose name holds one of the words; no words: all. */
export function findTestFiles(words) {
  const folders = [
    ...distFoldersIn(join(repositoryRoot, 'packages')),
    ...distFoldersIn(join(repositoryRoot, 'examples')),
    join(repositoryRoot, 'test'),
  ];
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => /\.test\.m?js$/.test(file))
    .filter((file) => words.length === 0 || words.some((word) => nameOf(file).includes(word)))
    .sort();
}

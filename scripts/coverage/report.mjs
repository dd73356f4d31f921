/** What the unit tests cover, by file, room and package. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from '../test-files.mjs';
import { coveredLines } from './lines.mjs';

/** Tests, their support files, and generated code. */
const NOT_MEASURED = /\.(?:test|testing)\.js$|\/(?:generated|testing|testdata)\//;

/**
 * @typedef {{ file: string, lines: number, covered: number, missing: number[] }} FileCoverage
 * a file's path such as `packages/kv/src/engine/x.ts`, and its numbers of lines; `missing` lists the lines not covered
 */

/** All sources of the packages, including those that no test loads. @returns {FileCoverage[]} */
export function coverageOfFiles(reportFile) {
  const functions = new Map();
  for (const script of JSON.parse(readFileSync(reportFile, 'utf8'))) {
    functions.set(fileURLToPath(script.url), script.functions);
  }
  return builtFiles().map((path) => {
    const sourceMap = JSON.parse(readFileSync(`${path}.map`, 'utf8'));
    const lines = coveredLines(readFileSync(path, 'utf8'), sourceMap, functions.get(path) ?? []);
    const missing = [...lines].filter(([, covered]) => !covered).map(([line]) => line);
    const source = relative(repositoryRoot, path)
      .split(sep)
      .join('/')
      .replace('/dist/', '/src/')
      .replace(/\.js$/, '.ts');
    return { file: source, lines: lines.size, covered: lines.size - missing.length, missing };
  });
}

function builtFiles() {
  const packages = join(repositoryRoot, 'packages');
  return readdirSync(packages)
    .map((name) => join(packages, name, 'dist'))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.js') && !NOT_MEASURED.test(path))
    .sort();
}

export const packageOf = ({ file }) => file.split('/')[1] ?? file;
/** `kv/engine`; a file outside of rooms counts for its package. */
export const roomOf = ({ file }) => {
  const [, name, , room, ...rest] = file.split('/');
  return rest.length === 0 ? name : `${name}/${room}`;
};

/** Sums by a name. @param {FileCoverage[]} files @returns {Map<string, { lines: number, covered: number }>} */
export function sumsBy(nameOf, files) {
  const sums = new Map();
  for (const each of files) {
    const sum = sums.get(nameOf(each)) ?? { lines: 0, covered: 0 };
    sums.set(nameOf(each), { lines: sum.lines + each.lines, covered: sum.covered + each.covered });
  }
  return new Map([...sums].filter(([, { lines }]) => lines > 0));
}

export const percent = ({ lines, covered }) => (100 * covered) / lines;

/** `3-5, 9` for 3, 4, 5, 9. */
export function rangesOf(numbers) {
  const ranges = [];
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

/** A table of sums. @param {Map<string, { lines: number, covered: number }>} sums @param {import('../thresholds.mjs').Thresholds} [thresholds] */
export function table(sums, thresholds = {}) {
  const width = Math.max(...[...sums.keys()].map((name) => name.length));
  return [...sums].map(([name, sum]) => {
    const threshold = thresholds[name] === undefined ? '' : `  threshold ${thresholds[name].lines}`;
    const share = `${percent(sum).toFixed(1)} %`.padStart(8);
    return `${name.padEnd(width)}${share} of ${String(sum.lines).padStart(5)} lines${threshold}`;
  });
}

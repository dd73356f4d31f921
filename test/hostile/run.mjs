/** Runs all hostile clients at full size, or some of them. Prints the memory and the longest silence of each row. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FULL_SIZE = { HOSTILE_PODS: '100000', HOSTILE_POD_BYTES: '3600' };

const folder = dirname(fileURLToPath(import.meta.url));
const SUFFIX = '.process.test.mjs';
const all = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
const USAGE = `Usage: npm run hostile [-- WORD...]

Runs the tests whose names contain one of the words, or all, at full size. All take tens of minutes.
HOSTILE_PODS and HOSTILE_POD_BYTES change the size of the store.

Tests: ${all.map((name) => name.slice(0, -SUFFIX.length)).join(', ')}
`;

const words = process.argv.slice(2);
const files = all.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
if (words.some((word) => word === '--help' || word === '-h')) {
  process.stdout.write(USAGE);
} else if (files.length === 0) {
  process.stderr.write(`No test is named like ${words.join(' ')}.\n${USAGE}`);
  process.exitCode = 2;
} else {
  const { status } = spawnSync(
    process.execPath,
    ['--test', '--test-reporter=spec', '--test-concurrency=1', ...files.map((name) => join(folder, name))],
    { stdio: 'inherit', env: { ...FULL_SIZE, ...process.env } },
  );
  process.exitCode = status ?? 1;
}

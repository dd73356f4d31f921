/**
 * Runs all hostile clients at full size: `npm run hostile`, or `npm run hostile -- large-lists` for some of them.
 * Takes tens of minutes. Prints the memory and the longest silence of each row.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FULL_SIZE = { HOSTILE_PODS: '100000', HOSTILE_POD_BYTES: '3600' };

const folder = dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.process.test.mjs'))
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
if (files.length === 0) throw new Error(`no tests are named like ${words.join(' ')}`);

const { status } = spawnSync(
  process.execPath,
  ['--test', '--test-reporter=spec', '--test-concurrency=1', ...files.map((name) => join(folder, name))],
  { stdio: 'inherit', env: { ...FULL_SIZE, ...process.env } },
);
process.exitCode = status ?? 1;

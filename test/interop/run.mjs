/**
 * Runs the programs, also those that `npm test` leaves out because they take minutes: `npm run interop -- rust go`, or all without
 * words. `kubectl` selects the tests with every kubectl on the machine. `--columns upstream,controllers,ours` is for `conformance`.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setups } from './conformance/setups.mjs';

/** Where tests with clients of other makers are kept. */
const folders = { kubectl: 'test/e2e/kubectl' };

const {
  values: { columns },
  positionals,
} = parseArgs({ options: { columns: { type: 'string', default: 'upstream' } }, allowPositionals: true });
const unknown = columns.split(',').find((column) => setups[column] === undefined);
if (unknown !== undefined) {
  console.error(`--columns ${unknown}: ${Object.keys(setups).join(', ')} are known.`);
  process.exit(2);
}

const words = positionals.map((word) => folders[word] ?? `test/interop/${word}`);
const tests = fileURLToPath(new URL('../../scripts/test.mjs', import.meta.url));
const child = spawn(
  process.execPath,
  [tests, ...(words.length > 0 ? words : ['test/interop/', ...Object.values(folders)])],
  {
    stdio: 'inherit',
    env: { ...process.env, BINNACLE_INTEROP: 'all', BINNACLE_COLUMNS: columns },
  },
);
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

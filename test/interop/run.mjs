/**
 * Runs the programs, those too that are left out of `npm test` because they take long to build: `npm run interop -- rust go`; without
 * words all.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const words = process.argv.slice(2).map((word) => `test/interop/${word}`);
const tests = fileURLToPath(new URL('../../scripts/test.mjs', import.meta.url));
const child = spawn(process.execPath, [tests, ...(words.length > 0 ? words : ['test/interop/'])], {
  stdio: 'inherit',
  env: { ...process.env, BINNACLE_INTEROP: 'all' },
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

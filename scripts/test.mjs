/**
 * Runs the tests of the built packages and of test/. Files named `*.process.test.*` get a process of their own, because
 * they kill, spawn or listen; all others share one, which is faster. Words on the command line select files by path:
 * `npm test -- kv/embedded`. A run of all tests also measures what the unit tests cover, and fails below a package's threshold.
 */
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { thresholdsFile, sharesOf } from './coverage/thresholds.mjs';
import { coverageOfFiles, packageOf, sumsBy, table } from './coverage/report.mjs';
import { lowered, readThresholds } from './thresholds.mjs';
import { findTestFiles, needsOwnProcess, repositoryRoot } from './test-files.mjs';

const words = process.argv.slice(2);
const idle = words.filter((word) => findTestFiles([word]).length === 0);
if (idle.length > 0) {
  console.error(`No test file matches ${idle.join(', ')}.`);
  process.exit(2);
}
const files = findTestFiles(words);
const separate = files.filter(needsOwnProcess);
const shared = separate.length < files.length ? [resolve(repositoryRoot, 'scripts/test-in-one-process.mjs')] : [];

/** Process tests mostly wait, so one more than there are cores. */
const atOnce = availableParallelism() + 1;

/** Kills a file that hangs. On a slow machine the unit tests take more than half as long. */
const minutes = process.env.BINNACLE_INTEROP === 'all' ? 300 : 40;

/** A run of all tests also measures the coverage of the unit tests. */
const reportFile = resolve(repositoryRoot, '.cache/coverage.json');
const coverage = words.length === 0 ? { BINNACLE_COVERAGE: reportFile } : {};
rmSync(reportFile, { force: true });

const child = spawn(
  process.execPath,
  [
    '--test',
    '--test-reporter=spec',
    `--test-concurrency=${atOnce}`,
    `--test-timeout=${minutes * 60_000}`,
    ...shared,
    ...separate,
  ],
  {
    cwd: repositoryRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, BINNACLE_TEST_FILES: words.join(' '), ...coverage },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
  // A killed process leaves no report.
  if (existsSync(reportFile) && !reportCoverage()) process.exitCode ||= 1;
});

/** Prints the shares by package; false where one is below its threshold. */
function reportCoverage() {
  const packages = sumsBy(packageOf, coverageOfFiles(reportFile));
  const thresholds = readThresholds(thresholdsFile);
  console.log(`\nCovered by unit tests:\n${table(packages, thresholds).join('\n')}`);
  const faults = lowered(thresholds, sharesOf(packages));
  for (const fault of faults) console.error(`coverage: ${fault}`);
  return faults.length === 0;
}

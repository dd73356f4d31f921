/**
 * Runs the tests of the built packages and of test/. Files named `*.process.test.*` get a process of their own, because
 * they kill, spawn or listen; all others share one, which is faster. Words on the command line select files by path:
 * `npm test -- kv/embedded`. A run of all tests also measures what the unit tests cover, and fails below a package's threshold. When a few
 * files fail in it, each runs once more, alone, and is named as flaky if it passes then.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, relative, resolve } from 'node:path';
import { thresholdsFile, sharesOf } from './coverage/thresholds.mjs';
import { coverageOfFiles, packageOf, sumsBy, table } from './coverage/report.mjs';
import { lowered, readThresholds } from './thresholds.mjs';
import { findTestFiles, nameOf, needsOwnProcess, repositoryRoot } from './test-files.mjs';
import { filesToRunAgain } from './flaky.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM'];

const words = process.argv.slice(2);
const idle = words.filter((word) => findTestFiles([word]).length === 0);
if (idle.length > 0) {
  console.error(`No test file matches ${idle.join(', ')}.`);
  process.exit(2);
}
const files = findTestFiles(words);

/** Process tests mostly wait, so one more than there are cores. */
const atOnce = availableParallelism() + 1;

/** Kills a file that hangs. On a slow machine the unit tests take more than half as long. */
const minutes = process.env.BINNACLE_INTEROP === 'all' ? 300 : 40;

/** A run of all tests also measures the coverage of the unit tests. */
const isWhole = words.length === 0;
const reportFile = resolve(repositoryRoot, '.cache/coverage.json');
const failuresFile = resolve(repositoryRoot, '.cache/failed-tests.txt');
mkdirSync(dirname(failuresFile), { recursive: true });
rmSync(reportFile, { force: true });

let wasInterrupted = false;
process.exitCode = await run(files, words, isWhole ? { BINNACLE_COVERAGE: reportFile } : {});
// A killed process leaves no report.
const isCovered = !existsSync(reportFile) || reportCoverage();
if (process.exitCode === 1 && isWhole && !wasInterrupted) process.exitCode = await runAgain();
if (!isCovered) process.exitCode ||= 1;

/** Runs files, which the words select, and returns the exit code. The paths of those with a failed test are then in {@link failuresFile}. */
async function run(selected, selectedBy, environment) {
  const separate = selected.filter(needsOwnProcess);
  const shared = separate.length < selected.length ? [resolve(repositoryRoot, 'scripts/test-in-one-process.mjs')] : [];
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${new URL('failed-files.mjs', import.meta.url)}`,
      `--test-reporter-destination=${failuresFile}`,
      `--test-concurrency=${atOnce}`,
      `--test-timeout=${minutes * 60_000}`,
      ...shared,
      ...separate,
    ],
    {
      cwd: repositoryRoot,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, BINNACLE_TEST_FILES: selectedBy.join(' '), ...environment },
    },
  );
  const kill = (signal) => {
    wasInterrupted = true;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, kill);
  const [code] = await once(child, 'exit');
  for (const signal of SIGNALS) process.off(signal, kill);
  return code ?? 1;
}

/** Runs a few failed files once more, alone, and names them. Returns 0 when they pass now, otherwise 1. */
async function runAgain() {
  const failed = readFileSync(failuresFile, 'utf8').split('\n').slice(0, -1);
  const again = filesToRunAgain(failed, files);
  for (const file of again) {
    const name = relative(repositoryRoot, file);
    console.log(`\nOnce more, alone: ${name}`);
    if ((await run([file], [nameOf(file)], {})) !== 0) return 1;
    console.error(`Flaky: ${name} failed beside other tests and passed alone. Its test or what it tests has a defect.`);
  }
  return again.length > 0 ? 0 : 1;
}

/** Prints the shares by package; false where one is below its threshold. */
function reportCoverage() {
  const packages = sumsBy(packageOf, coverageOfFiles(reportFile));
  const thresholds = readThresholds(thresholdsFile);
  console.log(`\nCovered by unit tests:\n${table(packages, thresholds).join('\n')}`);
  const faults = lowered(thresholds, sharesOf(packages));
  for (const fault of faults) console.error(`coverage: ${fault}`);
  return faults.length === 0;
}

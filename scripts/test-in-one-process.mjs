/**
 * Runs all tests that need no process of their own. BINNACLE_COVERAGE names a file for V8's report on their coverage. A file
 * that cannot be loaded is a failed test. It reports what keeps the process alive after the last test: a timer, a socket.
 */
import { relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { collectCoverage } from './coverage/collect.mjs';
import { findTestFiles, needsOwnProcess, repositoryRoot } from './test-files.mjs';

const words = (process.env.BINNACLE_TEST_FILES ?? '').split(' ').filter((word) => word !== '');
const limitMinutes = 38;

if (process.env.BINNACLE_COVERAGE !== undefined) collectCoverage(process.env.BINNACLE_COVERAGE);

for (const file of findTestFiles(words).filter((name) => !needsOwnProcess(name))) {
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    test(`load ${relative(repositoryRoot, file)}`, () => {
      throw error;
    });
  }
}

setTimeout(() => {
  console.error(
    `Tests still running after ${limitMinutes} minutes; alive: ${process.getActiveResourcesInfo().join(', ')}`,
  );
  process.exit(1);
}, limitMinutes * 60_000).unref();

/**
 * Writes docs/compatibility.md from the current run of test/oracle, and drops reasons of steps that have become exact.
 * Fails on a step that differs without a reason. With `--check` it writes nothing, and fails on idle reasons and on a page
 * of another run as well. Runs on built packages.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderCompatibilityPage } from '../test/oracle/compatibility-page.mjs';
import {
  explain,
  readKnownDifferences,
  withoutIdle,
  writeKnownDifferences,
} from '../test/oracle/known-differences.mjs';
import { currentRun } from '../test/oracle/saved-run.mjs';

const pageName = 'docs/compatibility.md';
const page = join(resolve(dirname(fileURLToPath(import.meta.url)), '..'), pageName);
const reasonsName = 'test/oracle/known-differences.json';
const check = process.argv.includes('--check');

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}

const run = await currentRun();
const known = readKnownDifferences();
const explanation = explain(run, known);
for (const { scenario, verdict } of explanation.unexplained) {
  fail(`${scenario} / ${verdict.step} differs, and ${reasonsName} has no reason: ${verdict.differences[0]}`);
}
const text = renderCompatibilityPage(run, explanation);

if (check) {
  for (const { scenario, name } of explanation.idle) fail(`${scenario} / ${name} is exact, but has a reason`);
  const present = existsSync(page) ? readFileSync(page, 'utf8') : '';
  if (present !== text) fail(`${pageName} is not of this run; run npm run oracle:report`);
} else if (explanation.unexplained.length === 0) {
  for (const { scenario, name } of explanation.idle) console.log(`reason dropped: ${scenario} / ${name}`);
  if (explanation.idle.length > 0) writeKnownDifferences(withoutIdle(known, explanation.idle));
  writeFileSync(page, text);
}

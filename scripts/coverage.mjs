/**
 * Runs the unit tests and reports their coverage. `npm run coverage -- kv/engine` runs the tests whose paths contain the
 * words, and lists the matching source files with the lines that did not run completely. `--raise` writes higher thresholds.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { thresholdsFile, reachedThresholds } from './coverage/thresholds.mjs';
import { coverageOfFiles, packageOf, percent, rangesOf, roomOf, sumsBy, table } from './coverage/report.mjs';
import { raised, readThresholds, writeThresholds } from './thresholds.mjs';
import { repositoryRoot } from './test-files.mjs';

const words = process.argv.slice(2).filter((word) => word !== '--raise');
const raise = process.argv.includes('--raise');
const reportFile = join(repositoryRoot, '.cache/coverage.json');

const { status } = spawnSync(
  process.execPath,
  ['--test', '--test-reporter=dot', join(repositoryRoot, 'scripts/test-in-one-process.mjs')],
  {
    cwd: repositoryRoot,
    stdio: 'inherit',
    env: { ...process.env, BINNACLE_TEST_FILES: words.join(' '), BINNACLE_COVERAGE: reportFile },
  },
);
if (status !== 0) {
  console.error('Tests fail; run `npm test` to see which.');
  process.exit(1);
}

const files = coverageOfFiles(reportFile);
if (words.length > 0) {
  const chosen = files.filter(
    ({ file, lines }) => lines > 0 && words.some((word) => file.replace('/src/', '/').includes(word)),
  );
  for (const each of chosen)
    console.log(`${percent(each).toFixed(0).padStart(3)} % ${each.file}: ${rangesOf(each.missing)}`);
} else {
  const packages = sumsBy(packageOf, files);
  console.log(table(sumsBy(roomOf, files)).join('\n'));
  console.log(`\n${table(packages, readThresholds(thresholdsFile)).join('\n')}`);
  if (raise) writeThresholds(thresholdsFile, raised(readThresholds(thresholdsFile), reachedThresholds(packages)));
}

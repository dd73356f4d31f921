/**
 * Writes the pages that are made from code; with `--check` it writes nothing and fails on a page that is not up to date.
 * Runs on built packages.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderMetricsPage } from '../packages/apiserver/dist/metrics/metrics-page.js';
import { encryptionFacts } from '../packages/apiserver/dist/encryption/metrics.js';
import { reloadFacts } from '../packages/binnacle/dist/embed/reload-metrics.js';
import { clientFacts, managerFacts, queueFacts } from '../packages/controllers/dist/status/metric-facts.js';
import { describeCommands, renderManualPage, renderOptionsPage } from '../packages/binnacle/dist/cli/index.js';
import { apiPages } from './public-api.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Path in the repository, and the function that renders it. */
const pages = [
  ['docs/command-line.md', () => renderOptionsPage(describeCommands())],
  ['packages/binnacle/man/binnacle.1', () => renderManualPage(describeCommands())],
  [
    'docs/metrics.md',
    () =>
      renderMetricsPage([
        ['Configuration files', reloadFacts],
        ['Encryption at rest', encryptionFacts],
        ['Control loops', managerFacts, queueFacts, clientFacts],
      ]),
  ],
  ...apiPages,
];

const check = process.argv.includes('--check');
for (const [path, render] of pages) {
  const file = join(root, path);
  if (!check) writeFileSync(file, render());
  else if (readOrEmpty(file) !== render()) {
    console.error(`${path} is not what the code says; run npm run generate`);
    process.exitCode = 1;
  }
}

function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

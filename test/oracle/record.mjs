/**
 * Records what a reference server answers to scenarios.
 *
 *   node test/oracle/record.mjs --url https://127.0.0.1:6443 --token T [--out test/oracle/recorded] SCENARIO.mjs ...
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { playScenario } from './run.mjs';
import { formatRecording, loadScenarioFile, oracleFolder } from './scenarios.mjs';

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    out: { type: 'string', default: join(oracleFolder, 'recorded') },
  },
});

if (options.url === undefined || files.length === 0) {
  console.error('usage: node test/oracle/record.mjs --url URL --token TOKEN [--out FOLDER] SCENARIO.mjs ...');
  process.exit(2);
}
mkdirSync(options.out, { recursive: true });
for (const file of files) {
  const results = await playScenario(await loadScenarioFile(resolve(file)), options);
  const target = join(options.out, `${basename(file, '.mjs')}.jsonl`);
  writeFileSync(target, formatRecording(results));
  console.log(`${target}: ${results.length} steps`);
}

/**
 * Plays the scenarios against any server and prints where it differs from the recordings.
 *
 *   node test/oracle/compare.mjs --url https://127.0.0.1:6443 --token T [--only crud,patch] [--diffs 3] [--json FILE]
 *
 * Without --url it starts servers of its own. The server must be fresh; see the README. A scenario that needs a server of
 * its own is played against a --url only when --only names it alone.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { countOf, countOfRun, runScenario } from './run.mjs';
import { loadScenario, scenarioNames } from './scenarios.mjs';

const linesOfDifference = 4;

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    only: { type: 'string' },
    diffs: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});

const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

function print(scenario, verdicts) {
  const { exact, status, steps } = countOf(verdicts);
  console.log(`${scenario.padEnd(12)} exact ${exact}/${steps}  status ${status}/${steps}`);
  for (const verdict of verdicts.filter(({ exact }) => !exact).slice(0, Number(options.diffs))) {
    console.log(`  ${verdict.step}: ${verdict.request.method ?? ''} ${verdict.request.path ?? ''}`);
    for (const line of verdict.differences.slice(0, linesOfDifference)) console.log(`      ${line}`);
  }
}

const only = scenarioNames().filter((name) => options.only?.split(',').includes(name) ?? true);
const run = await (options.url === undefined ? runOwn() : runAgainst({ url: options.url, token: options.token }));

async function runOwn() {
  const { runAll } = await import('./run-all.mjs');
  return runAll({ only, each: print });
}

async function runAgainst(server) {
  const verdicts = {};
  for (const name of only) {
    if (only.length > 1 && (await loadScenario(name)).fresh) continue;
    verdicts[name] = await runScenario(name, server);
    print(name, verdicts[name]);
  }
  return verdicts;
}

const { exact, status, steps } = countOfRun(run);
console.log(
  `TOTAL        exact ${exact}/${steps} (${percent(exact, steps)})  status ${status}/${steps} (${percent(status, steps)})`,
);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(run, undefined, 1)}\n`);

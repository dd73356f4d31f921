/**
 * Plays the scenarios against any server and prints where it differs from the recordings.
 *
 *   node test/oracle/compare.mjs --url https://127.0.0.1:6443 --token T [--only crud,patch] [--diffs 3] [--json FILE]
 *
 * Without --url it starts a server of its own. The server must be fresh; see the README.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { countOf, countOfRun, runScenario } from './run.mjs';
import { scenarioNames } from './scenarios.mjs';

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

async function withServer(use) {
  if (options.url !== undefined) return use({ url: options.url, token: options.token });
  const { accessOf, startServer } = await import('./server.mjs');
  const server = await startServer();
  try {
    return await use(accessOf(server));
  } finally {
    await server.stop();
  }
}

const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

function print(scenario, verdicts) {
  const { exact, status, steps } = countOf(verdicts);
  console.log(`${scenario.padEnd(12)} exact ${exact}/${steps}  status ${status}/${steps}`);
  for (const verdict of verdicts.filter(({ exact }) => !exact).slice(0, Number(options.diffs))) {
    console.log(`  ${verdict.step}: ${verdict.request.method} ${verdict.request.path}`);
    for (const line of verdict.differences.slice(0, linesOfDifference)) console.log(`      ${line}`);
  }
}

const wanted = options.only?.split(',');
const run = await withServer(async (server) => {
  const verdicts = {};
  for (const scenario of scenarioNames().filter((name) => wanted === undefined || wanted.includes(name))) {
    verdicts[scenario] = await runScenario(scenario, server);
    print(scenario, verdicts[scenario]);
  }
  return verdicts;
});
const { exact, status, steps } = countOfRun(run);
console.log(
  `TOTAL        exact ${exact}/${steps} (${percent(exact, steps)})  status ${status}/${steps} (${percent(status, steps)})`,
);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(run, undefined, 1)}\n`);

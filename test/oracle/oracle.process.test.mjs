import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readThresholds } from '../../scripts/thresholds.mjs';
import { countOf, countOfRun, runScenario } from './run.mjs';
import { arranged, runAlone } from './run-all.mjs';
import { saveVerdicts, stateOfTheBuild } from './saved-run.mjs';
import { thresholdsFile } from './scenarios.mjs';
import { startServer } from './server.mjs';

/** The minimum for the core of the API, whatever the thresholds are. */
const core = ['crud', 'discovery', 'formats', 'delete', 'listwatch'];
const coreStatus = 0.97;
const coreExact = 0.85;

/** The steps that are not exact; when a count has fallen, the cause is among them. */
function listing(verdicts) {
  return verdicts
    .filter(({ exact }) => !exact)
    .map(({ step, differences }) => `  ${step}: ${differences[0]}`)
    .join('\n');
}

const thresholds = readThresholds(thresholdsFile);
const state = stateOfTheBuild();
const { together, alone } = await arranged();

/** Checks a scenario against its threshold, and saves its verdicts for the page on compatibility. */
function hold(scenario, verdicts, t) {
  saveVerdicts(scenario, verdicts, state);
  const { exact, status, steps } = countOf(verdicts);
  const threshold = thresholds[scenario] ?? { exact: 0, status: 0 };
  t.diagnostic(`${scenario}: exact ${exact}/${steps}, status ${status}/${steps}`);
  assert.ok(exact >= threshold.exact, `exact ${exact} is below ${threshold.exact}; not exact:\n${listing(verdicts)}`);
  assert.ok(
    status >= threshold.status,
    `status ${status} is below ${threshold.status}; not exact:\n${listing(verdicts)}`,
  );
  if (exact > threshold.exact || status > threshold.status)
    t.diagnostic('the threshold can be raised: npm run oracle:raise');
}

describe('answers of kube-apiserver 1.36', () => {
  const run = {};
  let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  for (const scenario of together) {
    it(scenario, async (t) => {
      run[scenario] = await runScenario(scenario, server);
      hold(scenario, run[scenario], t);
    });
  }

  it(`${core.join(', ')} together`, () => {
    const { exact, status, steps } = countOfRun(run, core);
    assert.ok(status / steps >= coreStatus, `status ${status} of ${steps}`);
    assert.ok(exact / steps >= coreExact, `exact ${exact} of ${steps}`);
  });
});

// Most of their time they wait for deadlines, so they are played side by side.
describe('answers of kube-apiserver 1.36, each scenario on a server of its own', { concurrency: true }, () => {
  for (const scenario of alone) it(scenario, async (t) => hold(scenario, await runAlone(scenario), t));
});

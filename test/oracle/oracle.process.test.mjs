import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readFloors } from './floors.mjs';
import { countOf, countOfRun, runScenario } from './run.mjs';
import { saveRun, stateOfTheBuild } from './saved-run.mjs';
import { scenarioNames } from './scenarios.mjs';
import { accessOf, startServer } from './server.mjs';

/** The minimum for the core of the API, whatever the floors are. */
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

describe('answers of kube-apiserver 1.36', () => {
  const floors = readFloors();
  const run = {};
  let server;
  let state;
  before(async () => {
    state = stateOfTheBuild();
    server = await startServer();
  });
  after(() => server?.stop());

  for (const scenario of scenarioNames()) {
    it(scenario, async (t) => {
      const verdicts = await runScenario(scenario, accessOf(server));
      run[scenario] = verdicts;
      const { exact, status, steps } = countOf(verdicts);
      const floor = floors[scenario] ?? { exact: 0, status: 0 };
      t.diagnostic(`${scenario}: exact ${exact}/${steps}, status ${status}/${steps}`);
      assert.ok(exact >= floor.exact, `exact ${exact} is below ${floor.exact}; not exact:\n${listing(verdicts)}`);
      assert.ok(status >= floor.status, `status ${status} is below ${floor.status}; not exact:\n${listing(verdicts)}`);
      if (exact > floor.exact || status > floor.status) t.diagnostic('the floor can be raised: npm run oracle:raise');
    });
  }

  it(`${core.join(', ')} together`, () => {
    const { exact, status, steps } = countOfRun(run, core);
    assert.ok(status / steps >= coreStatus, `status ${status} of ${steps}`);
    assert.ok(exact / steps >= coreExact, `exact ${exact} of ${steps}`);
  });

  it('is saved for the compatibility page', () => {
    assert.deepEqual(Object.keys(run), scenarioNames());
    saveRun(run, state);
  });
});

/**
 * Plays scenarios and compares the objects and events that controllers write with recordings of upstream's; see README.md.
 * `npm run control-plane -- --only deployment,replicas/adopt --nodes ours`
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Connection } from './connection.mjs';
import { ControlPlane } from './cluster.mjs';
import { divideControllers } from './controllers.mjs';
import { DifferenceNames, readNamedDifferences } from './named-differences.mjs';
import { Player } from './play-all.mjs';
import { describeNames, describeResult, exactShareOf, summarize } from './report.mjs';
import { loadScenarios } from './scenarios.mjs';
import { stopWithProcess } from './stop-with-process.mjs';

const NODES = 3;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    nodes: { type: 'string', default: 'hollow' },
    controllers: { type: 'string' },
    scheduler: { type: 'string' },
    url: { type: 'string' },
    token: { type: 'string' },
    record: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '6' },
    diffs: { type: 'string', default: '6' },
    patience: { type: 'string', default: '1' },
    json: { type: 'string' },
    logs: { type: 'string' },
    'min-exact': { type: 'string', default: '0' },
  },
});

if (!['hollow', 'ours'].includes(options.nodes)) exitWith('--nodes must be hollow or ours.');
const simulatesNodes = options.nodes === 'ours';
const all = await loadScenarios();
const scenarios = selectScenarios(all, options.only?.split(','));
const names = new DifferenceNames(readNamedDifferences(), options.nodes);
if (options.list) for (const { name } of scenarios) console.log(name);
else if (options.url === undefined) await playOnClusters(scenarios);
else await playOnServer(scenarios);
process.exit();

/** Default: all scenarios except those that need a server without nodes, which test only the scheduler. */
function selectScenarios(all, words) {
  if (words === undefined) return all.filter(({ ownsNodes }) => !ownsNodes);
  const matches = (word) => all.filter(({ name, area }) => name === word || area === word);
  const unknown = words.filter((word) => matches(word).length === 0);
  if (unknown.length > 0) exitWith(`No scenario and no area is called ${unknown.join(', ')}; --list names them.`);
  return all.filter((scenario) => words.some((word) => matches(word).includes(scenario)));
}

function exitWith(message) {
  console.error(message);
  process.exit(2);
}

/** Starts a cluster with nodes, and one without for the scenarios that make their own. */
async function playOnClusters(scenarios) {
  const controllers = divideControllers(options.controllers ?? (simulatesNodes ? 'ours' : 'mixed'));
  const scheduler = options.scheduler ?? (simulatesNodes ? 'ours' : 'upstream');
  const results = [];
  for (const nodes of [NODES, 0]) {
    const fitting = scenarios.filter(({ ownsNodes }) => ownsNodes === (nodes === 0));
    if (fitting.length === 0) continue;
    const cluster = new ControlPlane({ controllers, scheduler, nodes, simulatesNodes, logs: options.logs });
    const release = stopWithProcess(() => cluster.stop());
    try {
      const start = performance.now();
      await cluster.start();
      console.log(`The control plane is ready after ${((performance.now() - start) / 1000).toFixed(1)} s.`);
      results.push(...(await playOn(cluster.access, cluster.nodes, fitting)));
    } finally {
      await cluster.stop();
      release();
    }
  }
  report(results);
}

async function playOnServer(scenarios) {
  const access = { server: options.url, token: options.token };
  const { body } = await new Connection(access).send('GET', '/api/v1/nodes');
  const untainted = body.items.filter(({ spec }) => !spec.taints?.length);
  const nodes = untainted.map(({ metadata }) => metadata.name).sort();
  const fitting = scenarios.filter(({ ownsNodes }) => ownsNodes === (nodes.length === 0));
  const rest = scenarios.length - fitting.length;
  if (rest > 0) console.log(`${rest} scenarios need a server ${nodes.length > 0 ? 'without nodes' : 'with 3 nodes'}.`);
  report(await playOn(access, nodes, fitting));
}

async function playOn(access, nodes, scenarios) {
  const connection = new Connection(access);
  const player = new Player({ connection, nodes, patience: Number(options.patience), jobs: Number(options.jobs) });
  const results = [];
  if (options.record) {
    await player.record(scenarios, ({ scenario, unsettled }) => {
      console.log(`${scenario} recorded${unsettled.length === 0 ? '' : `, not settled: ${unsettled.join(', ')}`}`);
    });
  } else {
    await player.compare(scenarios, (compared) => {
      const result = names.judge(compared);
      results.push(result);
      console.log(describeResult(result, Number(options.diffs)));
    });
  }
  if (options.url !== undefined) await player.clean();
  connection.close();
  return results;
}

function report(results) {
  if (options.record) return;
  console.log(`\n${summarize(results)}`);
  const described = describeNames(results, names.stale(namesOf(all.filter(({ ownsNodes }) => !ownsNodes))));
  if (described !== '') console.log(`\n${described}`);
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(results, null, 1));
  process.exitCode = exactShareOf(results) < Number(options['min-exact']) ? 1 : 0;
}

function namesOf(scenarios) {
  return scenarios.map(({ name }) => name);
}

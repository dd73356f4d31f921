import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { binaries, builtComponents, builtSuite } from './components/build.mjs';
import { Cluster } from './components/cluster.mjs';
import { setups } from './conformance/setups.mjs';
import { columnsOf } from './conformance/columns.mjs';
import { PodPrograms } from './conformance/pod-programs.mjs';
import { unwanted, wanted } from './conformance/specs.mjs';
import { hasGo, run, unlessAsked } from './programs.mjs';

const skip = unlessAsked('conformance', hasGo(), 'there is no go on the PATH');
/** A regular expression of the specs to run instead of all. */
const focus = process.env.BINNACLE_SPECS;
/** The columns of the table, which run one after the other. */
const columns = (process.env.BINNACLE_COLUMNS ?? 'upstream').split(',');
/** Specs mostly wait, so more run at once than a small machine has cores. Those that tolerate no other run alone. */
const PROCESSES = 3;

describe("upstream's conformance suite", { skip, timeout: columns.length * 100 * 60_000 }, () => {
  /** The outcome of each spec, by its name, by column. */
  const outcomes = new Map();
  let suite;

  before(async () => {
    await builtComponents();
    suite = await builtSuite();
  });
  after(() => {
    if (outcomes.size > 1) for (const line of columnsOf(outcomes)) console.log(line);
  });

  for (const column of columns) {
    const { title, makes } = setups[column];
    describe(`with ${title}`, () => {
      const logs = join(binaries, 'logs/conformance', column);
      const cluster = new Cluster({
        contentType: 'application/vnd.kubernetes.protobuf',
        logs,
        makes,
        // Addresses of this machine, so that the programs of pods can be reached at the cluster IPs of their Services.
        // The server is on loopback, which endpoints may not name. Nothing connects to those of the Service kubernetes.
        serverFlags: {
          'service-cluster-ip-range': '127.96.0.0/16',
          'enable-aggregator-routing': false,
          'advertise-address': '192.0.2.1',
        },
      });
      let programs;

      before(async () => {
        await cluster.start();
        programs = new PodPrograms(cluster, { folder: await cluster.folderFor('pods'), logs });
        await programs.start();
      });
      after(async () => {
        await programs?.stop();
        await cluster.stop();
      });

      it('passes', async (t) => {
        const specs = await specsOf(suite, cluster, logs);
        outcomes.set(column, new Map(specs.map(({ name, state }) => [name, state])));
        assert.ok(focus !== undefined || specs.length > 150, `${specs.length} specs`);
        assert.deepEqual(programs.failures, []);
        for (const { name, state, failure } of specs) await t.test(name, () => assert.equal(state, 'passed', failure));
      });
    });
  }
});

/** Runs the suite. Resolves to the specs that it ran. */
async function specsOf(suite, cluster, logs) {
  const report = join(logs, 'report.json');
  await rm(report, { force: true });
  // It ends with 1 when a spec fails; the report says which.
  const said = await run(join(binaries, 'ginkgo'), [
    'run',
    `--procs=${PROCESSES}`,
    `--focus=${focus ?? wanted.join('|')}`,
    `--skip=${[...unwanted.keys()].join('|')}`,
    '--timeout=90m',
    `--output-dir=${logs}`,
    `--json-report=${basename(report)}`,
    suite,
    '--',
    '--provider=skeleton',
    `--kubeconfig=${cluster.kubeconfigFile}`,
    '--minStartupPods=0',
  ]).catch(({ message }) => message);
  const text = await readFile(report, 'utf8').catch(() => assert.fail(said));
  return JSON.parse(text)
    .flatMap(({ SpecReports }) => SpecReports)
    .filter(({ LeafNodeType, State }) => LeafNodeType === 'It' && State !== 'skipped')
    .map(({ ContainerHierarchyTexts, LeafNodeText, State, Failure }) => ({
      name: [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' '),
      state: State,
      failure: Failure?.Message,
    }));
}

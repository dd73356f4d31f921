import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { binaries, buildComponents, buildImages } from './components/build.mjs';
import { Cluster } from './components/cluster.mjs';
import { PodPrograms } from './conformance/pod-programs.mjs';
import { unwanted, wanted } from './conformance/specs.mjs';
import { goEnvironment, hasGo, here, run, unlessAsked } from './programs.mjs';

const skip = unlessAsked('conformance', hasGo(), 'there is no go on the PATH');
const suite = join(binaries, 'e2e.test');
const logs = join(binaries, 'logs/conformance');
/** A regular expression of the specs to run instead of all. */
const focus = process.env.BINNACLE_SPECS;

describe("upstream's conformance suite", { skip, timeout: 100 * 60_000 }, () => {
  const cluster = new Cluster({
    contentType: 'application/vnd.kubernetes.protobuf',
    logs,
    // Addresses of this machine, so that the programs of pods can be reached at the cluster IPs of their Services.
    serverFlags: { 'service-cluster-ip-range': '127.96.0.0/16', 'enable-aggregator-routing': false },
  });
  let programs;

  before(async () => {
    await buildComponents();
    await buildImages();
    await run('go', ['test', '-c', '-p', '2', '-ldflags=-s -w', '-o', suite, 'k8s.io/kubernetes/test/e2e'], {
      cwd: join(here, 'conformance'),
      env: goEnvironment,
    });
    await cluster.start();
    programs = new PodPrograms(cluster, { folder: await cluster.folderFor('pods'), logs });
    await programs.start();
  });
  after(async () => {
    await programs?.stop();
    await cluster.stop();
  });

  it('passes', async (t) => {
    const report = join(logs, 'report.json');
    // It ends with 1 when a spec fails; the report says which.
    await run(suite, [
      '--provider=skeleton',
      `--kubeconfig=${cluster.kubeconfigFile}`,
      '--minStartupPods=0',
      `--ginkgo.focus=${focus ?? wanted.join('|')}`,
      `--ginkgo.skip=${[...unwanted.keys()].join('|')}`,
      '--ginkgo.timeout=90m',
      `--ginkgo.json-report=${report}`,
    ]).catch(() => undefined);
    const [{ SpecReports: specs }] = JSON.parse(await readFile(report, 'utf8'));
    const walked = specs.filter(({ LeafNodeType, State }) => LeafNodeType === 'It' && State !== 'skipped');
    assert.ok(focus !== undefined || walked.length > 150, `${walked.length} specs`);
    assert.deepEqual(programs.failures, []);
    for (const { ContainerHierarchyTexts, LeafNodeText, State, Failure } of walked) {
      const name = [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' ');
      await t.test(name, () => assert.equal(State, 'passed', Failure?.Message));
    }
  });
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { binaries, buildComponents } from './components/build.mjs';
import { Cluster } from './components/cluster.mjs';
import { unwanted, wanted } from './conformance/specs.mjs';
import { goEnvironment, hasGo, here, run, unlessAsked } from './programs.mjs';

const skip = unlessAsked('conformance', hasGo(), 'there is no go on the PATH');
const suite = join(binaries, 'e2e.test');
const logs = join(binaries, 'logs/conformance');

describe("upstream's conformance suite", { skip, timeout: 100 * 60_000 }, () => {
  const cluster = new Cluster({ contentType: 'application/vnd.kubernetes.protobuf', logs });

  before(async () => {
    await buildComponents();
    await run('go', ['test', '-c', '-p', '2', '-ldflags=-s -w', '-o', suite, 'k8s.io/kubernetes/test/e2e'], {
      cwd: join(here, 'conformance'),
      env: goEnvironment,
    });
    await cluster.start();
  });
  after(() => cluster.stop());

  it('passes', async (t) => {
    const report = join(logs, 'report.json');
    // It ends with 1 when a spec fails; the report says which.
    await run(suite, [
      '--provider=skeleton',
      `--kubeconfig=${cluster.kubeconfigFile}`,
      '--minStartupPods=0',
      `--ginkgo.focus=${wanted.join('|')}`,
      `--ginkgo.skip=${[...unwanted.keys()].join('|')}`,
      '--ginkgo.timeout=90m',
      `--ginkgo.json-report=${report}`,
    ]).catch(() => undefined);
    const [{ SpecReports: specs }] = JSON.parse(await readFile(report, 'utf8'));
    const walked = specs.filter(({ LeafNodeType, State }) => LeafNodeType === 'It' && State !== 'skipped');
    assert.ok(walked.length > 150, `${walked.length} specs`);
    for (const { ContainerHierarchyTexts, LeafNodeText, State, Failure } of walked) {
      const name = [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' ');
      await t.test(name, () => assert.equal(State, 'passed', Failure?.Message));
    }
  });
});

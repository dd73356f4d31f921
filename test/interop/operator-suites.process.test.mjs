/** Runs the tests of operators, unmodified, on Binnacle in place of the programs of envtest: what passes on kube-apiserver passes here too. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { etcdBinaries, withoutEtcd } from '@binnacle/kv/testing';
import { builtKubeApiserver } from './components/build.mjs';
import { binnacleAssets, buildSuite, runPackage, upstreamAssets } from './operator-suites/run.mjs';
import { suites } from './operator-suites/suites.mjs';
import { hasGo, unlessAsked } from './programs.mjs';

const skip = unlessAsked('operator-suites', hasGo() && withoutEtcd() === false, 'there is no go or no etcd here');
const OPERATOR_MS = 60 * 60_000;

const passed = (outcomes) => [...outcomes].filter(([, outcome]) => outcome === 'passed').map(([name]) => name);

describe('the suites of operators', { skip, timeout: suites.length * OPERATOR_MS }, () => {
  /** By operator: how many tests there are, and how many pass on each server. */
  const counts = [];
  let upstream;
  let ours;

  before(async () => {
    upstream = await upstreamAssets({ kubeApiserver: await builtKubeApiserver(), etcd: etcdBinaries().at(-1).path });
    ours = await binnacleAssets();
  });
  after(() => {
    console.log('| operator | tests | pass on kube-apiserver | pass on Binnacle |\n| --- | --- | --- | --- |');
    for (const row of counts) console.log(`| ${row.join(' | ')} |`);
  });

  for (const suite of suites) {
    it(suite.operator, { timeout: OPERATOR_MS }, async (t) => {
      const folder = await buildSuite(suite);
      const count = [suite.module, 0, 0, 0];
      counts.push(count);
      for (const path of suite.packages) {
        await t.test(path, async () => {
          const log = (name) => join(folder, `${path.replaceAll('/', '-')}.${name}.log`);
          const there = await runPackage(folder, path, { assets: upstream, log: log('kube-apiserver') });
          const here = await runPackage(folder, path, { assets: ours, log: log('binnacle') });
          count[1] += new Set([...there.keys(), ...here.keys()]).size;
          count[2] += passed(there).length;
          count[3] += passed(here).length;
          assert.ok(passed(there).length > 0, `nothing passes on kube-apiserver: ${log('kube-apiserver')}`);
          const missing = passed(there).filter((name) => here.get(name) !== 'passed');
          assert.deepEqual(missing, [], `see ${log('binnacle')}`);
        });
      }
    });
  }
});

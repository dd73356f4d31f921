import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Lease } from '@binnacle/client/kinds/coordination/v1';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { eventually, waitFor } from '@binnacle/client/testing';
import { binaries, builtComponents } from './components/build.mjs';
import { Cluster, managers, nodeNames, PATIENT } from './components/cluster.mjs';
import { hasCondition } from './components/objects.mjs';
import { assertEachMinuteOnce, cronJobRuns, startCronJob } from './handover/cron-trial.mjs';
import { PodLedger, recordPods } from './handover/pod-ledger.mjs';
import { burst, daemonSet, deployment, endPod, jobs, statefulSet } from './handover/trials.mjs';
import { hasGo, unlessAsked } from './programs.mjs';

const skip = unlessAsked('handover', hasGo(), 'there is no go on the PATH');
/** The defaults of kube-controller-manager, so that both take seconds for many pods. */
const asSlowAsUpstream = { 'kube-api-qps': 20, 'kube-api-burst': 30 };
const NODE_OF_THE_TEST = 'n3';
const JOB_POD_EVERY_MS = 1500;

const rollouts = [deployment, statefulSet, daemonSet(nodeNames.length + 1), jobs];
const trials = [...rollouts, burst];

describe('a manager is killed, and one of the other make goes on', { skip, timeout: 60 * 60_000 }, () => {
  const stopped = new AbortController();
  const cluster = new Cluster({
    contentType: 'application/vnd.kubernetes.protobuf',
    logs: join(binaries, 'logs/handover'),
  });
  /** By the name of a trial. */
  const namespaces = new Map();
  const ledgers = new Map();
  const work = [];

  before(async () => {
    await builtComponents();
    await cluster.start();
    await cluster.startNode(NODE_OF_THE_TEST);
    await waitFor(cluster.client.resource(Node), NODE_OF_THE_TEST, hasCondition('Ready'), PATIENT);
    for (const name of [...trials.map(({ name }) => name), 'cronjob']) {
      const of = await cluster.namespace(name);
      const ledger = new PodLedger();
      namespaces.set(name, of);
      ledgers.set(name, ledger);
      const { resourceVersion } = (await of(Pod).list()).metadata;
      work.push(recordPods(of(Pod), ledger, { resourceVersion, signal: stopped.signal }));
    }
    work.push(endPods());
    await startCronJob(namespaces.get('cronjob'));
    await Promise.all(trials.map(({ name, start }) => start(namespaces.get(name))));
  });
  after(async () => {
    stopped.abort();
    await Promise.all(work);
    await cluster.stop();
  });

  for (const [release, [from, to]] of [
    [2, ['upstream', 'ours']],
    // From the state that the first has left.
    [3, ['ours', 'upstream']],
  ]) {
    it(`${managers[from]} -> ${managers[to]}`, async (t) => {
      const before = await lease();
      await cluster.startManager(to, {
        name: `${managers[to]}-${release}`,
        flags: to === 'ours' ? asSlowAsUpstream : {},
      });
      await cronJobRuns(namespaces.get('cronjob'), 0);
      const counts = new Map(trials.map(({ name }) => [name, countsOf(name)]));
      for (const { name, rule } of trials) ledgers.get(name).rule = rule;

      await Promise.all(rollouts.map((trial) => begin(trial, release, counts)));
      await begin(burst, release, counts);
      assert.deepEqual(
        trials.filter((trial) => !isInTheMiddle(trial, counts)).map(({ name }) => name),
        [],
        'are in the middle',
      );
      assert.equal((await lease()).holderIdentity, before.holderIdentity, 'one manager leads');
      await leaderProgram(from, release).stop('SIGKILL');
      const killed = Date.now();

      const { holderIdentity, leaseTransitions } = await eventually(async () => {
        const after = await lease();
        assert.notEqual(after.holderIdentity, before.holderIdentity);
        return after;
      }, PATIENT);
      assert.notEqual(holderIdentity, '');
      assert.equal(leaseTransitions, before.leaseTransitions + 1);
      const taken = Date.now();
      t.diagnostic(`a new leader after ${Math.round((taken - killed) / 1000)} s`);
      await Promise.all(trials.map(({ name, finish }) => finish(namespaces.get(name), release)));
      await cronJobRuns(namespaces.get('cronjob'), taken);

      for (const trial of trials) await t.test(trial.name, () => assertCounts(trial, counts));
      await t.test('cronjob', () => assertEachMinuteOnce(namespaces.get('cronjob'), ledgers.get('cronjob')));
      cluster.assertUnbroken();
    });
  }

  const lease = async () => {
    const { spec } = await cluster.client.resource(Lease).namespace('kube-system').get('kube-controller-manager');
    return spec;
  };

  /** The manager of the cluster's start, or the one that the handover before started. */
  const leaderProgram = (make, release) =>
    cluster.programs.get(release === 2 ? managers[make] : `${managers[make]}-${release - 1}`);

  const countsOf = (name) => {
    const { created, deleted } = ledgers.get(name);
    return { created: created.length, deleted: deleted.length };
  };

  async function begin(trial, release, counts) {
    await trial.change(namespaces.get(trial.name), release);
    await eventually(() => assert.ok(isInTheMiddle(trial, counts), trial.name), { ...PATIENT, interval: 20 });
  }

  function isInTheMiddle({ name, begun, creates }, counts) {
    const created = countsOf(name).created - counts.get(name).created;
    return created >= begun && created < creates;
  }

  function assertCounts({ name, creates, deletes, order }, counts) {
    const before = counts.get(name);
    const { created, deleted, broken } = ledgers.get(name);
    const news = [created.slice(before.created), deleted.slice(before.deleted)];
    assert.deepEqual(broken, []);
    assert.deepEqual(
      news.map(({ length }) => length),
      [creates, deletes],
      `created ${news[0].join()}, deleted ${news[1].join()}`,
    );
    if (order !== undefined) assert.deepEqual(news, [order, order]);
  }

  async function endPods() {
    for (; !stopped.signal.aborted; await pause(JOB_POD_EVERY_MS)) await endPod(namespaces.get(jobs.name));
  }
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { join } from 'node:path';
import { binaries, buildComponents } from './components/build.mjs';
import { Cluster } from './components/cluster.mjs';
import { complaintsIn, misunderstandingsIn } from './components/complaints.mjs';
import { walkAccounts, walkEvents, walkGarbage, walkNamespace, walkQuota } from './components/housekeeping.mjs';
import { walkCronJob, walkJob } from './components/jobs.mjs';
import { walkCrash, walkSchedulers } from './components/failures.mjs';
import { walkLostNode, walkPreemption, walkReferences } from './components/pods.mjs';
import { walkPolicy } from './components/policies.mjs';
import { walkAutoscaler, walkDrain, walkService } from './components/services.mjs';
import { walkDaemonSet, walkDeployment, walkStatefulSet } from './components/workloads.mjs';
import { hasGo, unlessAsked } from './programs.mjs';

const skip = unlessAsked('components', hasGo(), 'there is no go on the PATH');

/** Thousands of packages to build, the first time. */
const TIMEOUT_MS = 60 * 60_000;

describe("upstream's components", { skip, timeout: TIMEOUT_MS }, () => {
  before(buildComponents);

  for (const [name, contentType] of [
    ['protobuf', 'application/vnd.kubernetes.protobuf'],
    ['JSON', 'application/json'],
  ]) {
    describe(`in ${name}`, () => {
      const cluster = new Cluster({ contentType, logs: join(binaries, 'logs', name) });
      before(() => cluster.start());
      after(() => cluster.stop());

      describe('at once', { concurrency: true }, () => {
        it('a Deployment', () => walkDeployment(cluster));
        it('a StatefulSet with volumes', () => walkStatefulSet(cluster));
        it('a DaemonSet', () => walkDaemonSet(cluster));
        it('a Job', () => walkJob(cluster));
        it('a CronJob', () => walkCronJob(cluster));
        it('a Service', () => walkService(cluster));
        it('a node is drained', () => walkDrain(cluster));
        it('an autoscaler', () => walkAutoscaler(cluster));
        it('a namespace is deleted', () => walkNamespace(cluster));
        it('garbage', () => walkGarbage(cluster));
        it('a quota', () => walkQuota(cluster));
        it('accounts', () => walkAccounts(cluster));
        it('events', () => walkEvents(cluster));
        it('a pod and what it mentions', () => walkReferences(cluster));
        it('preemption', () => walkPreemption(cluster));
        it('a node is lost', () => walkLostNode(cluster));
        it('a policy is checked', () => walkPolicy(cluster));
      });

      it('another scheduler follows', () => walkSchedulers(cluster));

      it('no component complains', async () => {
        cluster.assertUnbroken();
        assert.deepEqual(misunderstandingsIn(await cluster.read('/metrics')), []);
        for (const [name, program] of cluster.programs) assert.deepEqual(complaintsIn(program.said), [], name);
      });

      it('the server crashes', () => walkCrash(cluster));
    });
  }
});

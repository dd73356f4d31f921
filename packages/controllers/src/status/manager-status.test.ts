import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { VirtualClock } from '@binnacle/client/testing';
import { WorkQueue } from '@binnacle/client/workqueue';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ManagerStatus } from './index.js';

async function linesOf(registry: MetricRegistry, name: string): Promise<string[]> {
  const lines = formatText(await registry.gather()).split('\n');
  return lines.filter((line) => line.startsWith(name));
}

describe('the status of a manager', () => {
  it('follows each loop', async () => {
    const registry = new MetricRegistry();
    const status = new ManagerStatus(registry, ['a', 'b']);
    const failures = () =>
      status.checks.flatMap(({ name, check }) => {
        try {
          check();
          return [];
        } catch (error) {
          return [`${name}: ${error instanceof Error ? error.message : ''}`];
        }
      });
    const running = () => linesOf(registry, 'running_managed_controllers');
    const values = (a: number, b: number) => [
      `running_managed_controllers{manager="kube-controller-manager",name="a"} ${a}`,
      `running_managed_controllers{manager="kube-controller-manager",name="b"} ${b}`,
    ];
    assert.deepEqual([failures(), await running()], [[], values(0, 0)]);
    status.started('a');
    status.started('b');
    assert.deepEqual([failures(), await running()], [[], values(1, 1)]);
    status.failed('a', new Error('no wind'));
    const failed = ['a: the loop has failed and restarts soon: no wind'];
    assert.deepEqual([failures(), await running()], [failed, values(0, 1)]);
    status.started('a');
    assert.deepEqual([failures(), await running()], [[], values(1, 1)]);
    status.failed('b', undefined);
    assert.deepEqual(failures(), ['b: the loop has failed and restarts soon: undefined']);
    status.stopped('a');
    status.stopped('b');
    assert.deepEqual([failures(), await running()], [[], values(0, 0)]);
  });

  it('checks a loop of another component, which is not one of the manager', async () => {
    const registry = new MetricRegistry();
    const status = new ManagerStatus(registry, ['a'], ['kube-scheduler']);
    status.started('kube-scheduler');
    status.failed('kube-scheduler', new Error('no nodes'));
    const [, scheduler] = status.checks;
    assert.equal(scheduler?.name, 'kube-scheduler');
    assert.throws(() => scheduler?.check(), /no nodes/);
    const line = 'running_managed_controllers{manager="kube-controller-manager",name="a"} 0';
    assert.deepEqual(await linesOf(registry, 'running_managed_controllers'), [line]);
  });

  it('names the leader, if there is an election', async () => {
    const registry = new MetricRegistry();
    const status = new ManagerStatus(registry, []);
    assert.deepEqual(await linesOf(registry, 'leader_election'), []);
    let leads = false;
    status.electing('kube-controller-manager', () => leads);
    const line = (value: number) => [`leader_election_master_status{name="kube-controller-manager"} ${value}`];
    assert.deepEqual(await linesOf(registry, 'leader_election'), line(0));
    leads = true;
    assert.deepEqual(await linesOf(registry, 'leader_election'), line(1));
    status.electing('kube-scheduler', () => false);
    const both = [...line(1), 'leader_election_master_status{name="kube-scheduler"} 0'];
    assert.deepEqual(await linesOf(registry, 'leader_election'), both);
  });

  it("has upstream's metrics of queues, with the sum of those with the same name", async () => {
    const registry = new MetricRegistry();
    const clock = new VirtualClock();
    const { queues } = new ManagerStatus(registry, []);
    const [first, second] = [0, 1].map(() => new WorkQueue<string>({ clock, observer: queues.queueObserver('q') }));
    assert.ok(first !== undefined && second !== undefined);
    using _ = queues.track('q', { queue: first, concurrency: 1 });
    const tracked = queues.track('q', { queue: second, concurrency: 1 });
    for (const key of ['x', 'y', 'z']) first.add(key);
    second.add('x');
    await clock.advance(500);
    await first.get();
    await second.get();
    await clock.advance(2000);
    second.done('x');
    second.addRateLimited('x');
    await clock.advance(1000);
    const value = async (name: string) =>
      (await linesOf(registry, `workqueue_${name}{name="q"}`)).map((line) => Number(line.split(' ')[1]));
    assert.deepEqual(await value('depth'), [3]);
    assert.deepEqual(await value('adds_total'), [5]);
    assert.deepEqual(await value('retries_total'), [1]);
    assert.deepEqual(await value('queue_duration_seconds_sum'), [1]);
    assert.deepEqual(await value('work_duration_seconds_sum'), [2]);
    assert.deepEqual(await value('unfinished_work_seconds'), [3]);
    assert.deepEqual(await value('longest_running_processor_seconds'), [3]);
    tracked[Symbol.dispose]();
    assert.deepEqual(await value('depth'), [2]);
  });
});

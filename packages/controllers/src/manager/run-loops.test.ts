import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messageOf } from '@binnacle/apimachinery/errors';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { ReconcileError } from '@binnacle/client/controller';
import { VirtualClock, type ScriptedAnswer, ScriptedTransport, settle } from '@binnacle/client/testing';
import type { TransportRequest } from '@binnacle/client/transport';
import type { ControlLoop, LoopContext } from '../loop/index.js';
import { ManagerStatus } from '../status/index.js';
import type { LoopFacts } from '../table/index.js';
import { type Identity, type ManagerOptions, runLoops } from './run-loops.js';

const AGENT = 'kube-controller-manager/binnacle';

function manage(...created: readonly LoopFacts['create'][]) {
  return manageWith({}, () => ({ object: { kind: 'Status' } }), ...created);
}

function manageWith(
  { needs, ...options }: Pick<ManagerOptions, 'leaderElection' | 'settings' | 'status'> & Pick<LoopFacts, 'needs'>,
  answer: (request: TransportRequest) => ScriptedAnswer,
  ...created: readonly LoopFacts['create'][]
) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const identities: Identity[] = [];
  const reports: string[] = [];
  let closed = 0;
  const ended = runLoops(
    {
      ...options,
      loops: created.map((create, index) => ({
        name: `loop-${index}`,
        aliases: [],
        serviceAccount: `account-${index}`,
        enabledByDefault: true,
        ...(needs === undefined ? {} : { needs }),
        create,
      })),
      connect: (identity) => {
        identities.push(identity);
        const transport = new ScriptedTransport(answer);
        return Object.assign(transport, {
          close: async () => {
            closed++;
          },
        });
      },
      certificateAuthority: 'PEM',
      report: (error, name) => reports.push(`${name}: ${messageOf(error)}`),
      clock,
    },
    stop.signal,
  );
  return { clock, stop, identities, reports, ended, closed: () => closed };
}

const untilStopped: ControlLoop = {
  run: (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
};

function throws(check: () => void): boolean {
  try {
    check();
    return false;
  } catch {
    return true;
  }
}

describe('manager', () => {
  it('connects once as each loop and once as the manager', async () => {
    const { identities, stop, ended, closed } = manage(async () => untilStopped);
    const group = 'system:serviceaccounts';
    const account = 'system:serviceaccount:kube-system:account-0';
    assert.deepEqual(identities, [
      { user: 'system:kube-controller-manager', groups: [], userAgent: `${AGENT}/shared-informers` },
      {
        user: account,
        groups: [group, `${group}:kube-system`],
        userAgent: `${AGENT}/${account}`,
        serviceAccount: 'account-0',
      },
    ]);
    stop.abort();
    await ended;
    assert.equal(closed(), 2);
  });

  for (const [what, resources, expected] of [
    ['does not create', [], 0],
    ['creates', [{ name: 'boats' }], 1],
  ] as const) {
    it(`${what} a loop whose resource is ${expected === 0 ? 'not ' : ''}served`, async () => {
      let created = 0;
      const loop = async () => {
        created++;
        return untilStopped;
      };
      const needs = { group: 'sea.example.com', version: 'v1', resource: 'boats' };
      const answer = () => ({ object: { kind: 'APIResourceList', resources } });
      const { stop, ended, reports } = manageWith({ needs }, answer, loop);
      await settle();
      assert.equal(created, expected);
      stop.abort();
      await ended;
      assert.deepEqual(reports, []);
    });
  }

  it('ends when every loop has ended, without a report', async () => {
    let finish: () => void = () => undefined;
    const slow: ControlLoop = { run: () => new Promise((resolve) => (finish = resolve)) };
    const { stop, ended, reports, closed } = manage(
      async () => slow,
      async () => untilStopped,
    );
    await settle();
    stop.abort();
    await settle();
    assert.equal(closed(), 0);
    finish();
    await ended;
    assert.deepEqual(reports, []);
  });

  it('restarts a loop that fails or ends with backoff', async () => {
    const contexts: LoopContext[] = [];
    const { clock, stop, ended, reports } = manage(
      async (context) => {
        contexts.push(context);
        if (contexts.length === 1) throw new Error('no code');
        return { run: async () => (contexts.length === 2 ? undefined : Promise.reject(new Error('gave up'))) };
      },
      async () => untilStopped,
    );
    await settle();
    assert.deepEqual(reports, ['loop-0: no code']);
    await clock.advance(600);
    assert.deepEqual(reports.slice(1), ['loop-0: the loop has ended without a request to stop']);
    await clock.advance(600);
    assert.equal(contexts.length, 2);
    await clock.advance(600);
    assert.deepEqual(reports.slice(2), ['loop-0: gave up']);
    await clock.advance(24 * 3_600_000);
    assert.ok(contexts.length > 24 * 50 && contexts.length < 24 * 61, String(contexts.length));
    stop.abort();
    await ended;
    assert.equal(clock.waiting, 0);
  });

  it('says of a loop that it has failed, until it restarts, and restarts it soon after a long run', async () => {
    const registry = new MetricRegistry();
    const status = new ManagerStatus(registry, ['loop-0', 'loop-1']);
    let fail: (error: Error) => void = () => undefined;
    let starts = 0;
    const { clock, stop, ended } = manageWith(
      { status },
      () => ({ object: { kind: 'Status' } }),
      async () => ({
        run: (signal) => {
          starts++;
          return Promise.race([untilStopped.run(signal), new Promise<void>((_, reject) => (fail = reject))]);
        },
      }),
      async ({ metrics }) => {
        metrics?.queueObserver('queue').added?.(1);
        return untilStopped;
      },
    );
    const failed = () => status.checks.filter(({ check }) => throws(check)).map(({ name }) => name);
    for (let run = 1; run <= 8; run++) {
      await clock.advance(120_000);
      assert.deepEqual([starts, failed()], [run, []]);
      fail(new Error('gave up'));
      await settle();
      assert.deepEqual(failed(), ['loop-0']);
      await clock.advance(600);
    }
    assert.deepEqual([starts, failed()], [9, []]);
    assert.match(formatText(await registry.gather()), /workqueue_adds_total\{name="queue"\} 1\n/);
    stop.abort();
    await ended;
    assert.match(formatText(await registry.gather()), /running_managed_controllers\{.*name="loop-1"\} 0\n/);
  });

  it('limits the writes of a loop, and neither its reads nor its events', async () => {
    const counts = new Map<string, number>();
    const count = (method: string, path: string) => {
      const key = path.includes('/events') ? 'event' : method;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    };
    const { clock, stop, ended } = manageWith(
      { settings: { kubeApiQps: 2, kubeApiBurst: 10 } },
      ({ method, path }) => {
        count(method, path);
        return { object: { kind: 'Status' } };
      },
      async ({ transport, events }) => ({
        run: async (signal) => {
          const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', name: 'p', uid: 'u' } };
          events.recorder({ component: 'c' }).event(pod, 'Normal', 'Seen', 'seen');
          for (let sent = 0; sent < 30; sent++) {
            void transport.send({ method: 'GET', path: '/api/v1/pods' }, { signal });
            void transport.send({ method: 'POST', path: '/api/v1/pods' }, { signal }).catch(() => undefined);
          }
          await untilStopped.run(signal);
        },
      }),
    );
    await clock.advance(0);
    assert.deepEqual(Object.fromEntries(counts), { GET: 30, POST: 10, event: 1 });
    await clock.advance(5000);
    assert.equal(counts.get('POST'), 20);
    stop.abort();
    await ended;
    assert.equal(clock.waiting, 0);
  });

  it('reports lasting failures and not those that a retry resolves', async () => {
    let context: LoopContext | undefined;
    const { stop, ended, reports } = manage(async (given) => {
      context = given;
      return untilStopped;
    });
    await settle();
    const request = { namespace: undefined, name: 'calm' };
    for (let failures = 1; failures <= 40; failures++) {
      context?.report(new ReconcileError('c', request, { cause: new Error('no'), failures, willRetry: true }));
    }
    assert.deepEqual(
      reports.map((report) => / (\d+) times/.exec(report)?.[1]),
      ['8', '16', '32'],
    );
    context?.report(new ReconcileError('c', request, { cause: new Error('no'), failures: 1, willRetry: false }));
    context?.report(new Error('something else'));
    assert.equal(reports.length, 5);
    stop.abort();
    await ended;
  });

  it('runs loops only while it holds the lease, and releases it at the end', async () => {
    const registry = new MetricRegistry();
    const status = new ManagerStatus(registry, ['loop-0']);
    const leads = async () =>
      Number(/leader_election_master_status\{.*\} (\d)/.exec(formatText(await registry.gather()))?.[1]);
    const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
    const holders: unknown[] = [];
    const held = (holderIdentity: string, resourceVersion: string) => {
      const metadata = { name: 'kube-controller-manager', namespace: 'kube-system', resourceVersion };
      const spec = { holderIdentity, leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' };
      return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
    };
    let lease = held('another', '1');
    let running = 0;
    const { clock, stop, ended, reports, identities, closed } = manageWith(
      { leaderElection: true, status },
      ({ method, path, body }) => {
        assert.equal(path.split('?')[0], LEASE);
        if (method === 'PUT') {
          const { metadata, spec } = JSON.parse(String(body)) as typeof lease;
          const { resourceVersion } = lease.metadata;
          if (metadata.resourceVersion !== resourceVersion) {
            return { status: 409, object: { kind: 'Status', status: 'Failure', reason: 'Conflict', code: 409 } };
          }
          lease = { ...held('', `${resourceVersion}1`), spec };
          holders.push(spec.holderIdentity);
        }
        return { object: lease };
      },
      async () => ({
        run: async (signal) => {
          running++;
          await untilStopped.run(signal);
          running--;
        },
      }),
    );
    await clock.advance(10_000);
    assert.deepEqual([running, identities.length, await leads()], [0, 1, 0]);
    await clock.advance(10_000);
    assert.deepEqual([running, await leads()], [1, 1]);
    lease = held('usurper', '2');
    await clock.advance(3_000);
    assert.deepEqual([running, await leads()], [0, 0]);
    assert.match(reports.join(), /leader election: leadership lost/);
    await clock.advance(30_000);
    assert.equal(running, 1);
    stop.abort();
    await ended;
    assert.equal(running, 0);
    assert.equal(holders.at(-1), '');
    assert.equal(closed(), identities.length);
    assert.equal(clock.waiting, 0);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@binnacle/apimachinery/clock';
import { parseTime } from '@binnacle/apimachinery/time';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { DynamicClient } from '@binnacle/client/dynamic';
import { VirtualClock, settle } from '@binnacle/client/testing';
import { FakeCluster, failure } from './cluster.testing.js';
import { NamespaceDeleter } from './namespace-deleter.js';
import type { PassResult } from './pass-result.js';

const DELETED_AT = parseTime('2027-01-15T08:00:00Z');

function setUp(cluster: FakeCluster) {
  const clock = new VirtualClock(DELETED_AT);
  const reports: unknown[] = [];
  const deleter = new NamespaceDeleter({
    client: new DynamicClient(cluster.transport),
    discovery: new DiscoveryClient(cluster.transport),
    clock,
    random: seededRandom(1),
    report: (error) => reports.push(error),
  });
  const stop = new AbortController();
  /** Runs a pass and advances the clock over short waits, such as those after a conflict. */
  const pass = async (): Promise<PassResult | undefined> => {
    const state: { isDone?: true } = {};
    const end = () => Object.assign(state, { isDone: true });
    const result = deleter.delete('harbour', stop.signal).finally(end);
    // The caller awaits `result`; this only prevents an unhandled rejection before it does.
    result.catch(() => undefined);
    await settle();
    while (state.isDone === undefined) await clock.advance(clock.untilNext ?? 0);
    return result;
  };
  return { clock, reports, stop, pass };
}

const cluster = () => new FakeCluster().serve('pods').serve('secrets').serve('boats', 'example.com');

const conditions = ({ namespace }: FakeCluster): Record<string, string> => {
  const { conditions: all = [] } = (namespace?.['status'] ?? {}) as {
    conditions?: { type: string; status: string; message: string }[];
  };
  return Object.fromEntries(all.filter(({ status }) => status === 'True').map(({ type, message }) => [type, message]));
};

describe('namespace deleter', () => {
  it('deletes objects of all kinds, custom resources included', async () => {
    const fake = cluster().add('pods', 'a').add('secrets', 'b').add('boats', 'c').add('boats', 'd');
    assert.equal(await setUp(fake).pass(), undefined);
    assert.deepEqual([fake.count('pods'), fake.count('secrets'), fake.count('boats')], [0, 0, 0]);
    assert.equal(fake.namespace, undefined);
  });

  it('checks twice that the namespace is empty, and sends no needless deletes', async () => {
    const fake = cluster();
    await setUp(fake).pass();
    const check = ['GET pods', 'GET secrets', 'GET boats'];
    assert.deepEqual(fake.log, [
      'GET namespaces',
      ...check,
      'PUT namespaces/status',
      ...check,
      'PUT namespaces/finalize',
    ]);
  });

  it('finds objects that are stored after its first check', async () => {
    const fake = cluster();
    fake.intercept = (_, entry) => {
      if (entry === 'PUT namespaces/status' && fake.count('boats') === 0) fake.add('boats', 'late');
      return undefined;
    };
    assert.equal(await setUp(fake).pass(), undefined);
    assert.deepEqual([fake.count('boats'), fake.namespace], [0, undefined]);
  });

  it('deletes with background propagation', async () => {
    const fake = cluster().add('secrets', 'b');
    await setUp(fake).pass();
    const deletions = fake.transport.requests.filter(({ method }) => method === 'DELETE');
    assert.deepEqual(
      deletions.map(({ path, body }) => [path, JSON.parse(String(body)) as unknown]),
      [
        [
          '/api/v1/namespaces/harbour/secrets',
          { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
        ],
      ],
    );
  });

  it('waits for pods before it deletes anything else', async () => {
    const pod = { metadata: { labels: { slow: '' } }, spec: { terminationGracePeriodSeconds: 30 } };
    const fake = cluster().add('pods', 'a', pod).add('secrets', 'b');
    const { pass } = setUp(fake);
    assert.equal((await pass())?.remaining[0]?.estimate, 30);
    assert.equal(fake.count('secrets'), 1);
    assert.deepEqual(conditions(fake), {});
    fake.remove('pods', 'a');
    assert.equal(await pass(), undefined);
    assert.equal(fake.namespace, undefined);
  });

  it('deletes nothing else while pods cannot be deleted', async () => {
    const fake = cluster().add('pods', 'a').add('secrets', 'b');
    fake.intercept = (_, entry) => (entry === 'DELETE pods' ? failure(403, 'Forbidden', 'no') : undefined);
    const left = await setUp(fake).pass();
    assert.deepEqual(
      left?.contentFailures.map(({ message }) => message),
      ['no'],
    );
    assert.equal(fake.count('secrets'), 1);
  });

  it('expects pods to be gone after their grace period, or once they have ended', async () => {
    const slow = { labels: { slow: '' } };
    const late = cluster().add('pods', 'a', { metadata: slow, spec: { terminationGracePeriodSeconds: 30 } });
    const { pass, clock } = setUp(late);
    await clock.advance(30_000);
    const left = await pass();
    assert.equal(left?.remaining[0]?.estimate, 0);
    assert.deepEqual(
      conditions(late)['NamespaceDeletionContentFailure'],
      `Failed to delete all resource types, 1 remaining: ${UNEXPECTED}`,
    );

    const ended = { metadata: slow, spec: { terminationGracePeriodSeconds: 30 }, status: { phase: 'Failed' } };
    assert.equal((await setUp(cluster().add('pods', 'a', ended)).pass())?.remaining[0]?.estimate, 0);
  });

  it('estimates 15 s for finalizers and counts them', async () => {
    const held = (...finalizers: string[]) => ({ metadata: { finalizers } });
    const fake = cluster()
      .add('boats', 'a', held('example.com/tide'))
      .add('boats', 'b', held('example.com/tide', 'example.com/rope'))
      .add('boats', 'c');
    const { pass } = setUp(fake);
    const left = await pass();
    assert.deepEqual(
      left?.remaining.map(({ count, estimate, resourceVersion }) => [count, estimate, resourceVersion]),
      [[2, 15, '7']],
    );
    assert.deepEqual(left.contentFailures, []);
    assert.deepEqual(conditions(fake), {
      NamespaceContentRemaining: 'Some resources are remaining: boats.example.com has 2 resource instances',
      NamespaceFinalizersRemaining:
        'Some content in the namespace has finalizers remaining: example.com/rope in 1 resource instances, example.com/tide in 2 resource instances',
    });
  });

  it('deletes one by one without deletecollection', async () => {
    const fake = new FakeCluster()
      .serve('boats', 'example.com', ['delete', 'list'])
      .add('boats', 'a')
      .add('boats', 'b');
    await setUp(fake).pass();
    assert.deepEqual(fake.log.slice(1, 6), [
      'GET boats',
      'GET boats',
      'DELETE ONE boats',
      'DELETE ONE boats',
      'GET boats',
    ]);
  });

  it('remembers that the server refuses deletecollection', async () => {
    const fake = cluster().add('boats', 'a', { metadata: { finalizers: ['x/y'] } });
    fake.intercept = (_, entry) =>
      entry === 'DELETE boats' ? failure(405, 'MethodNotAllowed', 'not this way') : undefined;
    const { pass } = setUp(fake);
    await pass();
    await pass();
    assert.equal(fake.log.filter((entry) => entry === 'DELETE boats').length, 1);
    assert.equal(fake.log.filter((entry) => entry === 'DELETE ONE boats').length, 2);
  });

  it('deletes a resource that cannot be listed', async () => {
    const fake = new FakeCluster().serve('boats', 'example.com', ['delete', 'deletecollection']).add('boats', 'a');
    assert.equal(await setUp(fake).pass(), undefined);
    assert.deepEqual(
      fake.log.filter((entry) => entry.endsWith('boats')),
      ['DELETE boats', 'DELETE boats'],
    );
  });

  it('skips a kind that is removed during the pass', async () => {
    const fake = cluster().add('boats', 'a');
    fake.intercept = (_, entry) => (entry.endsWith('boats') ? failure(404, 'NotFound', 'no such page') : undefined);
    assert.equal(await setUp(fake).pass(), undefined);
    assert.equal(fake.namespace, undefined);
  });

  it('deletes the other kinds when one fails, and keeps the namespace', async () => {
    const fake = cluster().add('secrets', 'b').add('boats', 'c');
    fake.intercept = (_, entry) =>
      entry === 'DELETE secrets' ? failure(500, 'InternalError', 'webhook says no') : undefined;
    const left = await setUp(fake).pass();
    assert.equal(left?.contentFailures.length, 1);
    assert.equal(fake.count('boats'), 0);
    assert.deepEqual(conditions(fake), {
      NamespaceDeletionContentFailure: 'Failed to delete all resource types, 1 remaining: webhook says no',
    });
  });

  it('deletes known kinds when discovery is incomplete, and keeps the namespace', async () => {
    const fake = cluster().serve('meters', 'metrics.example.com').add('boats', 'c');
    fake.stale.add('metrics.example.com');
    const { pass } = setUp(fake);
    assert.ok((await pass())?.discoveryFailure);
    assert.equal(fake.count('boats'), 0);
    assert.match(
      conditions(fake)['NamespaceDeletionDiscoveryFailure'] ?? '',
      /^Discovery failed for some groups, 1 failing: .*metrics\.example\.com\/v1: /,
    );
    fake.stale.clear();
    assert.equal(await pass(), undefined);
    assert.equal(fake.namespace, undefined);
  });

  it('keeps the namespace when discovery is empty', async () => {
    const fake = new FakeCluster();
    assert.ok((await setUp(fake).pass())?.discoveryFailure);
    assert.match(conditions(fake)['NamespaceDeletionDiscoveryFailure'] ?? '', /no API groups/);
  });

  it('removes only its own finalizer', async () => {
    const fake = cluster();
    Object.assign(fake.namespace ?? {}, { spec: { finalizers: ['example.com/bill', 'kubernetes'] } });
    const { pass } = setUp(fake);
    assert.equal(await pass(), undefined);
    assert.deepEqual(fake.namespace?.['spec'], { finalizers: ['example.com/bill'] });
    fake.log.length = 0;
    assert.equal(await pass(), undefined);
    assert.deepEqual(fake.log, ['GET namespaces']);
  });

  it('retries its writes after a conflict', async () => {
    const fake = cluster();
    let others = 2;
    fake.intercept = (_, entry) => {
      if (entry.startsWith('PUT') && others-- > 0) fake.touch();
      return undefined;
    };
    const { pass, reports } = setUp(fake);
    assert.equal(await pass(), undefined);
    assert.equal(fake.namespace, undefined);
    assert.deepEqual(reports, []);
  });

  it('removes the finalizer even if its conditions are refused', async () => {
    const fake = cluster();
    fake.intercept = (_, entry) =>
      entry === 'PUT namespaces/status' ? failure(422, 'Invalid', 'too long') : undefined;
    const { pass, reports } = setUp(fake);
    assert.equal(await pass(), undefined);
    assert.equal(fake.namespace, undefined);
    assert.equal(reports.length, 2);
  });

  it('leaves a re-created namespace of the same name alone', async () => {
    const fake = cluster();
    fake.intercept = (_, entry) => {
      if (entry === 'PUT namespaces/finalize') {
        const metadata = {
          name: 'harbour',
          uid: 'uid-2',
          resourceVersion: '90',
          deletionTimestamp: '2027-01-15T09:00:00Z',
        };
        fake.namespace = { apiVersion: 'v1', kind: 'Namespace', metadata, spec: { finalizers: ['kubernetes'] } };
      }
      return undefined;
    };
    await setUp(fake).pass();
    assert.deepEqual(fake.namespace?.['spec'], { finalizers: ['kubernetes'] });
  });

  for (const [what, change] of [
    ['is gone', (fake: FakeCluster) => (fake.namespace = undefined)],
    ['is not deleted', (fake: FakeCluster) => delete fake.namespace?.metadata.deletionTimestamp],
  ] as const) {
    it(`does nothing when the namespace ${what}`, async () => {
      const fake = cluster().add('secrets', 'b');
      change(fake);
      assert.equal(await setUp(fake).pass(), undefined);
      assert.equal(fake.count('secrets'), 1);
      assert.deepEqual(fake.log, ['GET namespaces']);
    });
  }

  it('sets the phase to Terminating if the server has not', async () => {
    const fake = cluster().add('boats', 'a', { metadata: { finalizers: ['x/y'] } });
    Object.assign(fake.namespace ?? {}, { status: { phase: 'Active' } });
    await setUp(fake).pass();
    const { phase } = (fake.namespace?.['status'] ?? {}) as { phase?: string };
    assert.equal(phase, 'Terminating');
  });

  it('writes nothing after the signal has fired', async () => {
    const fake = cluster().add('secrets', 'b');
    const { pass, stop } = setUp(fake);
    fake.intercept = (_, entry) => {
      if (entry === 'DELETE secrets') stop.abort();
      return entry === 'DELETE secrets' ? new Error('cut') : undefined;
    };
    await assert.rejects(pass(), { name: 'AbortError' });
    assert.equal(fake.log.at(-1), 'DELETE secrets');
  });
});

const UNEXPECTED = 'unexpected items still remain in namespace: harbour for gvr: /v1, Resource=pods';

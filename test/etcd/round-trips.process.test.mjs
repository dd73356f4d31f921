import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openEtcdKV } from '@binnacle/kv/etcd';
import { EtcdProcess, etcdBinaries, withoutEtcd } from '@binnacle/kv/testing';
import { withServer } from '../../packages/apiserver/dist/server/server.testing.js';

/** How often each verb calls etcd, by etcd's own counters. */
const COUNT = 128;
const IN_FLIGHT = 64;
const PODS = '/api/v1/namespaces/n/pods';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

const objects = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'n' } },
  { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 },
];
const pod = (name, labels = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  // The node is missing, which upstream accepts.
  spec: {
    containers: [{ name: 'c', image: 'i' }],
    nodeName: 'node',
    priorityClassName: 'high',
    automountServiceAccountToken: false,
  },
});
const named = (index) => `${PODS}/pod-${index}`;
const labels = (value) => ({ metadata: { labels: { value } } });

/** The first version whose answers to requests for progress can be trusted is 3.5.13. */
const binary = etcdBinaries().find(({ version }) => version.startsWith('3.5.'))?.path;

async function callsOf(etcd) {
  const text = await (await fetch(`${etcd.endpoint}/metrics`)).text();
  const calls = (method) => {
    const line = new RegExp(
      `^grpc_server_started_total\\{grpc_method="${method}",grpc_service="etcdserverpb.KV",.*\\} (\\S+)$`,
      'm',
    );
    return Number(line.exec(text)?.[1] ?? 0);
  };
  return { ranges: calls('Range'), txns: calls('Txn') };
}

async function each(count, run) {
  let next = 0;
  const worker = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

describe('calls of etcd', { skip: withoutEtcd(), timeout: 600_000 }, () => {
  let etcd;
  before(async () => {
    etcd = await EtcdProcess.start({ binary });
  });
  after(() => etcd.stop());

  it('are one transaction for a write and few reads for many gets', async () => {
    const kv = await openEtcdKV({ endpoints: [etcd.endpoint] });
    await withServer(kv, objects, async (send) => {
      const ok = async (...request) => {
        const { status, body } = await send(...request);
        assert.ok(status < 300, `${request[0]} ${request[1]}: ${status} ${body}`);
        return JSON.parse(body);
      };
      const create = (index) => ok('POST', PODS, pod(`pod-${index}`));
      const counted = async (run, count = COUNT) => {
        const earlier = await callsOf(etcd);
        await each(count, run);
        const later = await callsOf(etcd);
        return { ranges: later.ranges - earlier.ranges, txns: later.txns - earlier.txns };
      };
      // The first request of a kind builds its cache. A list waits for it.
      await create('first');
      await ok('DELETE', `${named('first')}?gracePeriodSeconds=0`);
      for (const kind of ['pods', 'nodes', 'namespaces', 'serviceaccounts']) await ok('GET', `/api/v1/${kind}`);
      await ok('GET', '/apis/scheduling.k8s.io/v1/priorityclasses');

      const one = { ranges: 0, txns: COUNT };
      assert.deepEqual(await counted(create), one, 'create');
      const { ranges, txns } = await counted((index) => ok('GET', named(index % COUNT)), COUNT * 4);
      assert.ok(txns === 0 && ranges < COUNT, `${ranges} ranges for ${COUNT * 4} gets`);
      const read = [];
      await each(COUNT, async (index) => (read[index] = await ok('GET', named(index))));
      const update = (index) => {
        read[index].metadata.labels = { value: 'updated' };
        return ok('PUT', named(index), read[index]);
      };
      assert.deepEqual(await counted(update), one, 'update');
      assert.deepEqual(await counted((index) => ok('PATCH', named(index), labels('merge'))), one, 'merge patch');
      const strategic = (index) => ok('PATCH', named(index), labels('strategic'), STRATEGIC);
      assert.deepEqual(await counted(strategic), one, 'strategic merge patch');
      const apply = (index) =>
        ok(
          'PATCH',
          `${named(index)}?fieldManager=m`,
          { ...pod(`pod-${index}`, { applied: 'yes' }), spec: undefined },
          APPLY,
        );
      assert.deepEqual(await counted(apply), one, 'apply');
      const remove = (index) => ok('DELETE', `${named(index)}?gracePeriodSeconds=0`);
      // As upstream, the mark of a deletion is a write of its own.
      assert.deepEqual(await counted(remove), { ranges: 0, txns: 2 * COUNT }, 'delete');
    });
  });
});

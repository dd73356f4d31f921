import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { SharedInformerFactory } from '@binnacle/client/cache';
import { DynamicClient } from '@binnacle/client/dynamic';
import { Node } from '@binnacle/client/kinds/core/v1';
import { FakeObjects, FakeStore, type ScriptedAnswer } from '@binnacle/client/testing';
import type { TransportRequest } from '@binnacle/client/transport';
import { keepAlive } from './heartbeats.js';

const NODE = '/api/v1/nodes/node-0';
const CSI_NODES = '/apis/storage.k8s.io/v1/csinodes';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

const failure = (code: number, reason: string): ScriptedAnswer => {
  return {
    status: code,
    object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: reason },
  };
};

/** One node that beats. `refuse` may answer a request in place of the server. */
async function start({ elidesHeartbeats = false, isKnown = false } = {}) {
  const clock = new VirtualClock(Date.UTC(2027, 0, 4));
  const store = new FakeStore();
  const reports: string[] = [];
  const writes: string[] = [];
  const refusing: { refuse?: (request: TransportRequest) => ScriptedAnswer | undefined } = {};
  const objects = new FakeObjects([Node], (request) => {
    if (request.method !== 'GET') writes.push(`${request.method} ${request.path}`);
    const refused = refusing.refuse?.(request);
    if (refused !== undefined) return refused;
    const answer = store.answer({ ...request, path: request.path.replace(/\/status$/, '') });
    const node = store.get(NODE);
    if (node !== undefined && request.method !== 'GET') objects.set(Node, node as unknown as Node);
    return answer;
  });
  const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-0' } };
  if (isKnown) {
    store.answer({ method: 'POST', path: '/api/v1/nodes', body: JSON.stringify(node) });
    objects.set(Node, node);
  }
  const client = new DynamicClient(objects.transport);
  const informers = new SharedInformerFactory(client, { clock, random: seededRandom(1) });
  const nodeObjects = informers.informer(Node);
  const stopping = new AbortController();
  const running = informers.run(stopping.signal);
  await nodeObjects.synced(stopping.signal);
  const parts = { nodeObjects, clientOf: () => client, clock, random: seededRandom(1), elidesHeartbeats };
  const nodes = new Map([['node-0', { name: 'node-0', index: 0 }]]);
  const beating = keepAlive({ ...parts, nodes, report: (error) => void reports.push(String(error)) }, stopping.signal);
  await settle();
  const stop = async (): Promise<void> => {
    stopping.abort(new Error('the nodes stop'));
    await Promise.all([running, beating]);
  };
  const advance = async (seconds: number): Promise<string[]> => {
    writes.length = 0;
    for (let second = 0; second < seconds; second++) {
      await clock.advance(1000);
      await settle();
    }
    return [...writes];
  };
  return { store, objects, reports, writes, refusing, advance, stop, [Symbol.asyncDispose]: stop };
}

describe('the heartbeats of a node', () => {
  it('register it and its CSINode, create its lease and renew that', async () => {
    await using given = await start();
    const first = [...given.writes, ...(await given.advance(2))];
    assert.deepEqual(first, ['POST /api/v1/nodes', `POST ${CSI_NODES}`, `POST ${LEASES}`]);
    const renewals = await given.advance(60);
    assert.deepEqual([...new Set(renewals)], [`PUT ${LEASES}/node-0`]);
    assert.ok(renewals.length >= 5 && renewals.length <= 6, `${renewals.length} renewals`);
    assert.deepEqual(given.reports, []);
  });

  it('write the status of a node that exists', async () => {
    await using given = await start({ isKnown: true });
    const writes = ['POST /api/v1/nodes', `PATCH ${NODE}/status`, `POST ${CSI_NODES}`];
    assert.deepEqual(given.writes.slice(0, 3), writes);
    const { status: written } = given.store.get(NODE) as unknown as Node;
    assert.ok(written?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'));
  });

  it('make a resource allocatable that a user adds to the capacity', async () => {
    await using given = await start();
    await given.advance(2);
    const node = given.store.get(NODE) as unknown as Node;
    const capacity = { ...node.status?.capacity, 'example.com/lamp': '2' };
    given.objects.set(Node, { ...node, status: { ...node.status, capacity } });
    const writes = await given.advance(12);
    assert.deepEqual(
      writes.filter((write) => write.startsWith('PATCH')),
      [`PATCH ${NODE}/status`],
    );
    const { status: written } = given.store.get(NODE) as unknown as Node;
    assert.equal(written?.allocatable?.['example.com/lamp'], '2');
  });

  it('retry each second, and report all failures but conflicts', async () => {
    await using given = await start();
    await given.advance(2);
    given.refusing.refuse = ({ method }) => (method === 'PUT' ? failure(409, 'Conflict') : undefined);
    const conflicts = await given.advance(15);
    assert.ok(conflicts.length > 4, `${conflicts.length} writes`);
    assert.deepEqual(given.reports, []);
    given.refusing.refuse = () => failure(403, 'Forbidden');
    await given.advance(3);
    assert.equal(given.reports.length, 3);
    assert.match(given.reports[0] ?? '', /Forbidden/);
  });

  it('do not bring back a node that a user deletes', async () => {
    await using given = await start();
    await given.advance(2);
    given.store.delete(NODE);
    given.objects.delete(Node, { name: 'node-0' });
    await settle();
    assert.deepEqual(await given.advance(60), []);
    assert.deepEqual(given.reports, []);
  });

  it('may be elided, until another client changes the conditions', async () => {
    await using given = await start({ elidesHeartbeats: true });
    await given.advance(5);
    assert.deepEqual(await given.advance(600), []);
    const node = given.store.get(NODE) as unknown as Node;
    const lost = [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }];
    given.objects.set(Node, { ...node, status: { ...node.status, conditions: lost } });
    assert.ok((await given.advance(5)).includes(`PATCH ${NODE}/status`));
    assert.deepEqual(await given.advance(60), []);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { DynamicClient } from '@binnacle/client/dynamic';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { type ScriptedAnswer, ScriptedTransport } from '@binnacle/client/testing';
import { podFacts, podObject } from '../testing/index.js';
import { bindingWriter, PodStatuses } from './pod-writes.js';

const { signal } = new AbortController();
const facts = podFacts('p');
const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no' };

function answerWith(status = 200): ScriptedAnswer {
  return { status, object: status === 200 ? podObject('p') : { kind: 'Status', status: 'Failure', code: status } };
}

function statuses(transport: ScriptedTransport, current: Pod | undefined = facts.pod): PodStatuses {
  return new PodStatuses(new DynamicClient(transport), new VirtualClock(), () => current);
}

const bodiesOf = ({ requests }: ScriptedTransport): unknown[] =>
  requests.map(({ body }) => JSON.parse(Buffer.from(body ?? '').toString()) as unknown);

describe('bindingWriter', () => {
  it('binds the pod with its uid, so that no other pod of the name is bound', async () => {
    const transport = new ScriptedTransport(() => answerWith());
    await bindingWriter(new DynamicClient(transport))(facts, 'n0', signal);
    assert.deepEqual(
      transport.requests.map(({ method, path }) => `${method} ${path}`),
      ['POST /api/v1/namespaces/default/pods/p/binding'],
    );
    assert.deepEqual(bodiesOf(transport), [
      {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { namespace: 'default', name: 'p', uid: 'default/p' },
        target: { apiVersion: 'v1', kind: 'Node', name: 'n0' },
      },
    ]);
  });
});

describe('PodStatuses', () => {
  it('patches the status, and sends nothing if the pod already says so', async () => {
    const transport = new ScriptedTransport(() => answerWith());
    await statuses(transport).patch(facts, { condition }, signal);
    await statuses(transport, podObject('p', { status: { conditions: [condition] } })).patch(
      facts,
      { condition },
      signal,
    );
    assert.deepEqual(
      transport.requests.map(({ method, path }) => `${method} ${path}`),
      ['PATCH /api/v1/namespaces/default/pods/p/status'],
    );
  });

  it('writes the changes of a pod one at a time, and those that wait as one', async () => {
    const transport = new ScriptedTransport(() => answerWith());
    const writes = statuses(transport);
    await Promise.all([
      writes.patch(facts, { nominatedNode: 'n0' }, signal),
      writes.patch(facts, { nominatedNode: 'n1' }, signal),
      writes.patch(facts, { condition }, signal),
    ]);
    const metadata = { uid: 'default/p' };
    const conditions = [{ ...condition, lastTransitionTime: '2027-01-15T08:00:00Z' }];
    assert.deepEqual(bodiesOf(transport), [
      { metadata, status: { nominatedNodeName: 'n0' } },
      { metadata, status: { conditions, nominatedNodeName: 'n1' } },
    ]);
  });

  for (const [status, passes] of [
    [404, true],
    [409, true],
    [500, false],
  ] as const) {
    it(`${passes ? 'passes over' : 'reports'} an answer of ${status}`, async () => {
      const patch = statuses(new ScriptedTransport(() => answerWith(status))).patch(facts, { condition }, signal);
      await (passes ? patch : assert.rejects(patch));
    });
  }
});

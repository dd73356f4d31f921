import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DynamicClient } from '@binnacle/client/dynamic';
import type { EventRecorder } from '@binnacle/client/events';
import { type ScriptedAnswer, ScriptedTransport, VirtualClock } from '@binnacle/client/testing';
import { Expectations, Writer } from '../common/index.js';
import { actInPhases } from './act.js';
import type { ClaimsPlan } from './claims.js';
import { type PodAction, planStatefulSet } from './plan.js';
import { claim, pod, seen, statefulSet } from './statefulset.testing.js';

const set = statefulSet();

const refusal = (code: number, reason: string, message: string): ScriptedAnswer => ({
  status: code,
  object: { kind: 'Status', status: 'Failure', code, reason, message },
});
const denied = refusal(403, 'Forbidden', 'quota is full');
const taken = refusal(409, 'AlreadyExists', 'taken');

const claims = (plan: Partial<ClaimsPlan> = {}): ClaimsPlan => ({
  create: [],
  deleting: [],
  update: [],
  conflicting: [],
  ...plan,
});

/** Carries actions out. `refused`: answers by requests such as `POST db-0`. */
async function act(actions: readonly PodAction[], refused: Record<string, ScriptedAnswer> = {}, isOrdered = true) {
  const requests: string[] = [];
  const transport = new ScriptedTransport(({ method, path, body }) => {
    const object = JSON.parse(String(body)) as { readonly metadata?: { readonly name?: string } };
    const request = `${method} ${object.metadata?.name ?? path.split('/').at(-1) ?? ''}`;
    requests.push(request);
    return refused[request] ?? { object };
  });
  const writer = new Writer({
    client: new DynamicClient(transport),
    owner: set,
    expectations: new Expectations(new VirtualClock()),
    cacheOf: () => undefined,
    signal: new AbortController().signal,
  });
  const events: string[] = [];
  const recorder: EventRecorder = {
    event: (_, type, reason, message) => void events.push(`${type} ${reason} ${message}`),
  };
  const plan = { ...planStatefulSet(seen(set, '')), phases: [actions], isOrdered };
  let failure = '';
  try {
    await actInPhases({ writer, recorder, set }, plan);
  } catch (error) {
    assert.ok(error instanceof Error);
    failure = error.message;
  }
  return { requests, events, failure };
}

const create = (plan?: Partial<ClaimsPlan>): PodAction => ({ type: 'create', pod: pod('0'), claims: claims(plan) });
const [data, logs] = [claim('data-db-0'), claim('logs-db-0')];

describe('the creation of a pod', () => {
  it('comes after its claims, and before their owners', async () => {
    const { requests, events, failure } = await act([create({ create: [data], update: [logs] })]);
    assert.deepEqual(requests, ['POST data-db-0', 'POST db-0', 'PUT logs-db-0']);
    assert.deepEqual(events, [
      'Normal SuccessfulCreate Create Claim data-db-0 Pod db-0 in StatefulSet db success',
      'Normal SuccessfulCreate Create Pod db-0 in StatefulSet db successful',
    ]);
    assert.equal(failure, '');
  });

  it('does not happen if a claim is refused', async () => {
    const { requests, events, failure } = await act([create({ create: [data, logs] })], { 'POST data-db-0': denied });
    assert.deepEqual(requests, ['POST data-db-0', 'POST logs-db-0']);
    assert.deepEqual(events, [
      'Warning FailedCreate Create Claim data-db-0 for Pod db-0 in StatefulSet db failed error: quota is full',
      'Normal SuccessfulCreate Create Claim logs-db-0 Pod db-0 in StatefulSet db success',
      'Warning FailedCreate Create Pod db-0 in StatefulSet db failed error: failed to create PVC data-db-0: quota is full',
    ]);
    assert.equal(failure, 'failed to create PVC data-db-0: quota is full');
  });

  it('waits for claims that are being deleted, and reports every failure', async () => {
    const { requests, events, failure } = await act([create({ create: [data], deleting: ['logs-db-0'] })], {
      'POST data-db-0': taken,
    });
    assert.deepEqual(requests, ['POST data-db-0']);
    assert.equal(failure, '[pvc logs-db-0 is being deleted, failed to create PVC data-db-0: taken]');
    assert.deepEqual(events, [`Warning FailedCreate Create Pod db-0 in StatefulSet db failed error: ${failure}`]);
  });

  it('gives no event if a pod has the name, and leaves the claims alone', async () => {
    const { requests, events, failure } = await act([create({ update: [data] })], { 'POST db-0': taken });
    assert.deepEqual([requests, events, failure], [['POST db-0'], [], 'taken']);
  });

  it('corrects the owners of claims even if the pod is refused', async () => {
    const { requests, events, failure } = await act([create({ update: [data] })], { 'POST db-0': denied });
    assert.deepEqual(requests, ['POST db-0', 'PUT data-db-0']);
    assert.deepEqual(events, ['Warning FailedCreate Create Pod db-0 in StatefulSet db failed error: quota is full']);
    assert.equal(failure, 'quota is full');
  });

  it('fails if the owners cannot be corrected', async () => {
    const { events, failure } = await act([create({ update: [data] })], { 'PUT data-db-0': denied });
    assert.equal(failure, 'could not update claim data-db-0 for delete policy ownerRefs: quota is full');
    assert.deepEqual(events, [`Warning FailedUpdate Update Pod db-0 in StatefulSet db failed error: ${failure}`]);
  });
});

describe('the update of a pod', () => {
  const update = (plan?: Partial<ClaimsPlan>): PodAction => ({
    type: 'update',
    pod: pod('0x'),
    changed: pod('0'),
    claims: claims(plan),
  });

  it('comes last', async () => {
    const { requests, events } = await act([update({ create: [data], update: [logs] })]);
    assert.deepEqual(requests, ['POST data-db-0', 'PUT logs-db-0', 'PUT db-0']);
    assert.equal(events.at(-1), 'Normal SuccessfulUpdate Update Pod db-0 in StatefulSet db successful');
  });

  it('fails with the pod', async () => {
    const { events, failure } = await act([update()], { 'PUT db-0': denied });
    assert.deepEqual(events, ['Warning FailedUpdate Update Pod db-0 in StatefulSet db failed error: quota is full']);
    assert.equal(failure, 'quota is full');
  });
});

describe('the claims of a pod', () => {
  it('have the owners that the policy gives, with a warning if another controller owns one', async () => {
    const owners: PodAction = {
      type: 'owners',
      pod: pod('0'),
      claims: claims({ update: [data], conflicting: ['logs-db-0'] }),
    };
    const { requests, events } = await act([owners]);
    assert.deepEqual(requests, ['PUT data-db-0']);
    assert.deepEqual(events, [
      'Warning ConflictingController PersistentVolumeClaim logs-db-0 has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim',
    ]);
  });

  const missing = (plan: Partial<ClaimsPlan>): PodAction => ({ type: 'claims', pod: pod('0p'), claims: claims(plan) });

  it('are created if the pod pends without them', async () => {
    const { requests, events } = await act([missing({ create: [data], update: [logs] })]);
    assert.deepEqual(requests, ['POST data-db-0', 'PUT logs-db-0']);
    assert.deepEqual(events, ['Normal SuccessfulCreate Create Claim data-db-0 Pod db-0 in StatefulSet db success']);
  });

  it('give no event if they cannot be created for a pod that exists, which fails the action', async () => {
    const { events, failure } = await act([missing({ deleting: ['data-db-0'] })]);
    assert.deepEqual([events, failure], [[], 'pvc data-db-0 is being deleted']);
  });
});

describe('actions on pods', () => {
  const remove = (text: string): PodAction => ({ type: 'delete', pod: pod(text) });

  it('end with the first failure, in order', async () => {
    const { requests, events, failure } = await act([remove('2'), remove('1')], { 'DELETE db-2': denied });
    assert.deepEqual([requests, failure], [['DELETE db-2'], 'quota is full']);
    assert.deepEqual(events, ['Warning FailedDelete Delete Pod db-2 in StatefulSet db failed error: quota is full']);
  });

  it('come in batches that double, if they are parallel, until one fails', async () => {
    const removals = ['0', '1', '2', '3', '4'].map(remove);
    const { requests, failure } = await act(removals, { 'DELETE db-1': denied }, false);
    assert.deepEqual([requests, failure], [['DELETE db-0', 'DELETE db-1', 'DELETE db-2'], 'quota is full']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FlowSchema } from '@binnacle/api/types/flowcontrol-v1';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { openMemoryKV } from '@binnacle/kv/memory';
import { answer, withMethods } from '../../testing/index.js';
import { createFlowControlObjects, keepFlowControl } from './flow-control-keeper.js';
import { flowSchemas, priorityLevels } from '../server-flow-control.js';
import { testResourceApi } from '../server.testing.js';

const ROOT = '/apis/flowcontrol.apiserver.k8s.io/v1';
const LEVEL_KEYS = '/registry/prioritylevelconfigurations/';
const MINUTE_MS = 60_000;

/** A server that keeps its objects, and an administrator who changes them. */
async function withKeeper(
  run: (server: {
    readonly send: (method: string, path: string, body?: object) => Promise<void>;
    readonly schema: (name: string) => (KubernetesObject & FlowSchema) | undefined;
    readonly names: () => readonly string[];
    readonly shares: (level: string) => number | undefined;
    readonly pass: (milliseconds: number) => Promise<void>;
    readonly clock: VirtualClock;
  }) => Promise<void>,
  priorityAndFairness = true,
): Promise<void> {
  await using kv = openMemoryKV();
  const clock = new VirtualClock();
  const api = testResourceApi(kv, { clock });
  await createFlowControlObjects(api);
  const report = (error: unknown): void => assert.fail(String(error));
  using _keeper = await keepFlowControl(api, { clock, report, priorityAndFairness });
  const send = async (method: string, path: string, body?: object): Promise<void> => {
    const endpoint = api.catalog.find('flowcontrol.apiserver.k8s.io', path.split('/')[0] ?? '');
    assert.ok(endpoint);
    const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
    const request = { method, url: `${ROOT}/${path}`, headers };
    const { status, body: text } = await answer(
      endpoint,
      body === undefined ? request : { ...request, body: JSON.stringify(body) },
    );
    assert.ok(status < 300, text);
  };
  const pass = async (milliseconds: number): Promise<void> => {
    await settle();
    await clock.advance(milliseconds);
    await settle();
  };
  try {
    await run({
      send,
      schema: (name) => flowSchemas(api.stores).findCached('', name),
      names: () =>
        [...flowSchemas(api.stores).eachCached(''), ...priorityLevels(api.stores).eachCached('')].map(
          ({ kind, metadata }) => `${kind} ${metadata.name}`,
        ),
      shares: (level) => priorityLevels(api.stores).findCached('', level)?.spec?.limited?.nominalConcurrencyShares,
      pass,
      clock,
    });
  } finally {
    api.stop();
  }
}

/** A write becomes a change in a cache, and that perhaps another write. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for what follows from a write, however busy the machine is. */
async function eventually(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 500 && !condition(); round++) await settle();
  assert.ok(condition());
}

const danglingOf = (schema: FlowSchema | undefined): string | undefined =>
  schema?.status?.conditions?.find(({ type }) => type === 'Dangling')?.status;

describe('keepFlowControl', () => {
  it('creates all objects and describes them before the server is ready', () =>
    withKeeper(async ({ names, schema }) => {
      assert.equal(names().length, 11 + 8);
      assert.deepEqual(
        ['exempt', 'probes', 'catch-all', 'global-default'].map((name) => danglingOf(schema(name))),
        ['False', 'False', 'False', 'False'],
      );
      assert.deepEqual(
        schema('probes')?.metadata.managedFields?.map(({ manager, operation, subresource }) => [
          manager,
          operation,
          subresource,
        ]),
        [
          ['api-priority-and-fairness-config-consumer-v1', 'Apply', 'status'],
          ['api-priority-and-fairness-config-producer-v1', 'Update', undefined],
        ],
      );
    }));

  it('says at once that a level is gone, and that it is back', () =>
    withKeeper(async ({ send, schema }) => {
      const level = (name: string) => ({
        metadata: { name },
        spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
      });
      const of = { priorityLevelConfiguration: { name: 'own' } };
      await send('POST', 'flowschemas', { metadata: { name: 's' }, spec: of });
      await eventually(() => danglingOf(schema('s')) === 'True');
      await send('POST', 'prioritylevelconfigurations', level('own'));
      await eventually(() => danglingOf(schema('s')) === 'False');
    }));

  it('restores within a minute what users delete or change, and sleeps afterwards', () =>
    withKeeper(async ({ send, names, shares, schema, pass, clock }) => {
      await pass(MINUTE_MS);
      await pass(MINUTE_MS);
      await eventually(() => clock.waiting === 0);
      await send('DELETE', 'flowschemas/catch-all');
      await send('DELETE', 'prioritylevelconfigurations/system');
      await send('PATCH', 'prioritylevelconfigurations/workload-low', {
        spec: { limited: { nominalConcurrencyShares: 7 } },
      });
      await send('PATCH', 'flowschemas/probes', {
        metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': 'false' } },
        spec: { matchingPrecedence: 9 },
      });
      await pass(MINUTE_MS - 1);
      assert.ok(!names().includes('FlowSchema catch-all'));
      await pass(1);
      await eventually(() => names().length === 11 + 8 && shares('workload-low') === 100);
      assert.equal(schema('probes')?.spec?.matchingPrecedence, 9);
      await eventually(() => danglingOf(schema('system-nodes')) === 'False');
      await pass(MINUTE_MS);
      await pass(MINUTE_MS);
      await eventually(() => clock.waiting === 0);
    }));

  it('deletes what an earlier release has kept', () =>
    withKeeper(async ({ send, names, pass }) => {
      const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };
      const spec = { priorityLevelConfiguration: { name: 'exempt' } };
      await send('POST', 'flowschemas', { metadata: { name: 'old', annotations }, spec });
      await send('POST', 'flowschemas', { metadata: { name: 'own' }, spec });
      await pass(MINUTE_MS);
      await eventually(() => !names().includes('FlowSchema old'));
      assert.ok(names().includes('FlowSchema own'));
    }));

  it('writes a condition that users change six times a minute at most', () =>
    withKeeper(async ({ send, schema, pass }) => {
      const break_ = { status: { conditions: [{ type: 'Dangling', status: 'True', reason: 'r', message: 'm' }] } };
      // The first of the six was at the start.
      for (let turn = 0; turn < 5; turn++) {
        await send('PATCH', 'flowschemas/probes/status', break_);
        await eventually(() => danglingOf(schema('probes')) === 'False');
      }
      await send('PATCH', 'flowschemas/probes/status', break_);
      await pass(0);
      assert.equal(danglingOf(schema('probes')), 'True');
      await pass(MINUTE_MS);
      await eventually(() => danglingOf(schema('probes')) === 'False');
    }));

  it('describes nothing before it knows the levels', async () => {
    await using kv = openMemoryKV();
    const clock = new VirtualClock();
    const first = testResourceApi(kv, { clock });
    await createFlowControlObjects(first);
    first.stop();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const written: string[] = [];
    const slow = withMethods(kv, {
      range: (request) =>
        request.prefix.startsWith(LEVEL_KEYS) ? released.then(() => kv.range(request)) : kv.range(request),
      txn: (request) => {
        if (request.operation.type === 'put') written.push(Buffer.from(request.operation.value).toString());
        return kv.txn(request);
      },
    });
    const api = testResourceApi(slow, { clock });
    const report = (error: unknown): void => assert.fail(String(error));
    const keeping = keepFlowControl(api, { clock, report, priorityAndFairness: true });
    await settle();
    release();
    using _keeper = await keeping;
    await settle();
    assert.equal(written.length, 11);
    assert.ok(written.every((value) => value.includes('"reason":"Found"')));
    api.stop();
  });

  it('describes nothing without priority and fairness', () =>
    withKeeper(async ({ names, schema }) => {
      assert.equal(names().length, 11 + 8);
      assert.equal(schema('probes')?.status?.conditions, undefined);
    }, false));
});

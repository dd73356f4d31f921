/** Each field of a scenario has an effect. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import type { Action, Scenario } from '../scenario/index.js';
import { simulate, type SimulationResult } from './index.js';

const APP = { app: 'web' };
const WEB = { resource: 'deployments', name: 'web' };

const deployment = (namespace: string): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace },
  spec: {
    replicas: 2,
    selector: { matchLabels: APP },
    template: {
      metadata: { labels: APP },
      // No one publishes the authority that a token comes with.
      spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'web:1' }] },
    },
  },
});
const config = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });

const CONTROLLERS = 'deployment-controller,replicaset-controller,serviceaccount-controller,node-lifecycle-controller';
const base: Scenario = {
  runFor: '20s',
  nodes: 2,
  elideHeartbeats: true,
  controllers: CONTROLLERS,
  actions: [{ at: '2s', apply: [deployment('default')] }],
};

const play = (changes: Partial<Scenario>): Promise<SimulationResult> =>
  simulate({ seed: 1, scenario: { ...base, ...changes } });
/** After the workload of the base is there. */
const act = (...actions: readonly Action[]) => play({ actions: [...(base.actions ?? []), ...actions] });

const podsOf = ({ state }: SimulationResult): readonly string[] =>
  state.list(Pod).map(({ metadata: { name = '' } }) => name);
const nodesOf = ({ state }: SimulationResult): readonly string[] =>
  state.list(Node).map(({ metadata: { name = '' } }) => name);
const specOf = ({ state }: SimulationResult) => state.list(Deployment)[0]?.spec;
const cordoned = ({ state }: SimulationResult): readonly string[] =>
  state.list(Node).flatMap(({ spec, metadata: { name = '' } }) => (spec?.unschedulable === true ? [name] : []));

describe('a field of a scenario', { timeout: 300_000 }, () => {
  it('runFor, nodes, start', async () => {
    const result = await play({ nodes: 1, start: '2030-05-06T07:08:09Z' });
    assert.equal(result.elapsed, 20_000);
    assert.deepEqual(nodesOf(result), ['node-0']);
    assert.equal(result.state.list(Deployment)[0]?.metadata.creationTimestamp, '2030-05-06T07:08:11Z');
  });

  it('controllers', async () => {
    assert.equal(podsOf(await play({})).length, 2);
    assert.equal(podsOf(await play({ controllers: 'deployment-controller' })).length, 0);
  });

  it('elideHeartbeats', async () => {
    const renewals = async (elideHeartbeats: boolean) => (await play({ elideHeartbeats, actions: [] })).steps;
    assert.ok((await renewals(false)) > (await renewals(true)));
  });

  it('settles', async () => {
    assert.equal((await play({ nodes: 0 })).failure, undefined);
    assert.equal((await play({ nodes: 0, settles: true })).failure?.where, 'settled');
  });

  for (const faults of [
    { watchDelay: 3000 },
    { brokenWatches: 0.5 },
    { expiredWatches: 0.9 },
    { conflicts: 0.5 },
    { failedWrites: 0.5 },
    { lostAnswers: 0.1 },
    { slowWrites: 1 },
    { crashes: 0.5 },
  ]) {
    it(`faults: ${JSON.stringify(faults)}`, async () => {
      assert.notEqual((await play({ faults })).digest, (await play({})).digest);
    });
  }

  it('faults: writeDelay', async () => {
    const slow = (more: object) => play({ faults: { slowWrites: 1, ...more } });
    assert.notEqual((await slow({ writeDelay: 9000 })).digest, (await slow({})).digest);
  });
});

describe('a field of an action', { timeout: 300_000 }, () => {
  it('at, every, until', async () => {
    const apply = [config('a')];
    const deleted = { delete: { resource: 'configmaps', name: 'a' } };
    const result = await play({
      actions: [
        { at: '1s', every: '4s', until: '10s', apply },
        { at: '3s', every: '4s', until: '12s', ...deleted },
      ],
    });
    const times = result.history.filter((line) => line.includes('configmaps')).map((line) => /\+(\S+)/.exec(line)?.[1]);
    assert.deepEqual(times, ['1s', '3s', '5s', '7s', '9s', '11s']);
  });

  it('delete: resource, name, namespace', async () => {
    const namespaces = async (action: Action) => {
      const given: Action = { at: '2s', apply: [deployment('default'), deployment('kube-public')] };
      const { state } = await play({ actions: [given, action] });
      return state.list(Deployment).map(({ metadata }) => metadata.namespace);
    };
    assert.deepEqual(await namespaces({ at: '8s', delete: WEB }), ['kube-public']);
    assert.deepEqual(await namespaces({ at: '8s', delete: { ...WEB, namespace: 'kube-public' } }), ['default']);
  });

  it('scale: replicas', async () =>
    assert.equal(specOf(await act({ at: '8s', scale: { ...WEB, replicas: 3 } }))?.replicas, 3));

  it('rollout', async () => {
    const annotations = specOf(await act({ at: '8s', rollout: WEB }))?.template.metadata?.annotations;
    assert.equal(annotations?.['kubectl.kubernetes.io/restartedAt'], '2027-01-04T00:00:08.000Z');
  });

  it('drain and uncordon: nodes, any', async () => {
    assert.deepEqual(cordoned(await act({ at: '8s', drain: { nodes: ['node-1'] } })), ['node-1']);
    assert.equal(cordoned(await act({ at: '8s', drain: { any: 1 } })).length, 1);
    const drained: Action = { at: '8s', drain: { any: 2 } };
    assert.equal(cordoned(await act(drained)).length, 2);
    assert.deepEqual(cordoned(await act(drained, { at: '9s', uncordon: { nodes: ['node-0'] } })), ['node-1']);
    assert.equal(cordoned(await act(drained, { at: '9s', uncordon: { any: 1 } })).length, 1);
  });

  it('deleteNodes: nodes, any', async () => {
    assert.deepEqual(nodesOf(await act({ at: '8s', deleteNodes: { nodes: ['node-0'] } })), ['node-1']);
    assert.deepEqual(nodesOf(await act({ at: '8s', deleteNodes: { any: 2 } })), []);
  });

  it('evict: namespace, selector, atMost', async () => {
    const before = new Set(podsOf(await play({})));
    const evicted = async (evict: NonNullable<Action['evict']>) => {
      const left = podsOf(await act({ at: '8s', evict }));
      return before.size - left.filter((name) => before.has(name)).length;
    };
    assert.equal(await evicted({ namespace: 'default' }), 2);
    assert.equal(await evicted({ namespace: 'default', atMost: 1 }), 1);
    assert.equal(await evicted({ namespace: 'default', selector: 'app=other' }), 0);
    assert.equal(await evicted({ namespace: 'kube-public' }), 0);
  });

  it('kill: component, for', async () => {
    const pods = async (...actions: readonly Action[]) => {
      const result = await act({ at: '15s', scale: { ...WEB, replicas: 3 } }, ...actions);
      return podsOf(result).length;
    };
    assert.equal(await pods(), 3);
    assert.equal(await pods({ at: '14s', kill: { component: 'controllers' } }), 3);
    assert.equal(await pods({ at: '14s', kill: { component: 'controllers', for: '1m' } }), 2);
    assert.equal(await pods({ at: '14s', kill: { component: 'nodes', for: '1m' } }), 3);
  });

  it('cutOff: nodes, any, for', async () => {
    const ready = async (cutOff: NonNullable<Action['cutOff']>) => {
      const { state } = await play({ actions: [{ at: '1s', cutOff }, ...(base.actions ?? [])] });
      return state.list(Pod).filter(({ status }) => status?.phase === 'Running').length;
    };
    assert.equal(await ready({ any: 0, for: '1m' }), 2);
    assert.equal(await ready({ any: 2, for: '1m' }), 0);
    assert.equal(await ready({ any: 2, for: '5s' }), 2);
    assert.equal(await ready({ nodes: ['node-0', 'node-1'], for: '1m' }), 0);
  });

  it('faults', async () => {
    const scaled: Action = { at: '9s', scale: { ...WEB, replicas: 3 } };
    assert.equal(podsOf(await act(scaled)).length, 3);
    assert.equal(podsOf(await act({ at: '8s', faults: { failedWrites: 1 } }, scaled)).length, 2);
  });

  it('inject: match, action, for', async () => {
    const pods = async (rule: object) => {
      const inject = { match: { resource: 'pods', verb: 'create' }, action: { type: 'answer', code: 503 }, ...rule };
      const result = await act(
        { at: '8s', inject: inject as NonNullable<Action['inject']> },
        { at: '9s', scale: { ...WEB, replicas: 3 } },
      );
      return podsOf(result).length;
    };
    assert.equal(await pods({}), 2);
    assert.equal(await pods({ match: { resource: 'configmaps' } }), 3);
    assert.equal(await pods({ for: '500ms' }), 3);
    assert.equal(await pods({ times: 1 }), 3);
  });
});

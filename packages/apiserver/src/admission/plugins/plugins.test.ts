import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PriorityClass } from '@binnacle/api/types/scheduling-v1';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import {
  defaultTolerationSeconds,
  namespaceLifecycle,
  priority,
  storageObjectInUseProtection,
  taintNodesByCondition,
} from './index.js';
import { admit, object, request, validate } from './request.testing.js';

describe('NamespaceLifecycle', () => {
  const namespaces: Record<string, KubernetesObject> = {
    live: object('Namespace'),
    dying: { ...object('Namespace'), status: { phase: 'Terminating' } },
    marked: object('Namespace', {}, { name: 'marked', deletionTimestamp: '2026-01-01T00:00:00Z' }),
  };
  const clock = new VirtualClock();
  /** The states that the cache still has. */
  const stale = new Map<string, KubernetesObject>();
  const current = (name: string) => (Object.hasOwn(namespaces, name) ? namespaces[name] : undefined);
  const plugin = namespaceLifecycle(
    {
      namespace: async (name) => stale.get(name) ?? current(name),
      currentNamespace: async (name) => current(name),
      namespaceVersion: async (name, newest) => {
        const found = newest ? current(name) : (stale.get(name) ?? current(name));
        return found && { object: found, version: { key: name, revision: newest ? 2 : 1 } };
      },
    },
    clock,
  );
  const create = (namespace: string, resource = 'pods') => admit(plugin, resource, object('Pod'), { namespace });

  it('refuses creates in a namespace that is missing or terminating', async () => {
    await create('live');
    await create('');
    await assert.rejects(create('none'), { code: 404, message: 'namespaces "none" not found' });
    await assert.rejects(create('constructor'), { code: 404 });
    for (const namespace of ['dying', 'marked']) {
      await assert.rejects(create(namespace), {
        code: 403,
        message: `pods "a" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
      });
    }
  });

  it('reads the current namespace for half a minute after a request to delete it', async () => {
    stale.set('dying', object('Namespace'));
    await create('dying');
    await admit(plugin, 'namespaces', undefined, { name: 'dying', operation: 'DELETE', namespace: 'dying' });
    await assert.rejects(create('dying'), { code: 403 });
    await clock.advance(30_000);
    await create('dying');
    stale.delete('dying');
    await assert.rejects(create('dying'), { code: 403 });
  });

  it('judges a refusal on the current namespace', async () => {
    stale.set('live', object('Namespace', {}, { name: 'live', deletionTimestamp: '2026-01-01T00:00:00Z' }));
    await create('live');
    stale.delete('live');
  });

  it('names the version of the namespace that it has seen, and looks at the newest one before it refuses', async () => {
    const conditionOf = (namespace: string, isRetry: boolean, resource = 'pods') =>
      plugin.createCondition?.(request(resource, object('Pod'), { namespace }), isRetry);
    assert.deepEqual(await conditionOf('live', false), { key: 'live', revision: 1 });
    assert.deepEqual(await conditionOf('live', true), { key: 'live', revision: 2 });
    assert.equal(await conditionOf('', false), undefined);
    assert.equal(await conditionOf('dying', false, 'namespaces'), undefined, 'a namespace is not in itself');
    for (const isRetry of [false, true]) {
      await assert.rejects(async () => conditionOf('none', isRetry), { code: 404 });
      await assert.rejects(async () => conditionOf('dying', isRetry), { code: 403 });
    }
    stale.set('live', { ...object('Namespace'), status: { phase: 'Terminating' } });
    assert.deepEqual(await conditionOf('live', false), { key: 'live', revision: 2 }, 'it has been created again');
    stale.set('dying', object('Namespace'));
    stale.delete('live');
    assert.deepEqual(await conditionOf('dying', false), { key: 'dying', revision: 1 }, 'the store will refuse it');
    await assert.rejects(async () => conditionOf('dying', true), { code: 403 });
    stale.delete('dying');
  });

  it('allows updates and deletes of existing objects', async () => {
    await admit(plugin, 'pods', object('Pod'), { namespace: 'dying', operation: 'UPDATE' });
    await admit(plugin, 'pods', undefined, { namespace: 'dying', operation: 'DELETE' });
  });

  it('protects the system namespaces from deletion', async () => {
    const remove = (name: string) =>
      admit(plugin, 'namespaces', undefined, { name, operation: 'DELETE', namespace: '' });
    for (const name of ['default', 'kube-system', 'kube-public']) await assert.rejects(remove(name), { code: 403 });
    await remove('kube-node-lease');
  });
});

describe('Priority', () => {
  const classes: readonly PriorityClass[] = [
    { metadata: { name: 'high' }, value: 1000, preemptionPolicy: 'Never' },
    { metadata: { name: 'usual' }, value: 5, globalDefault: true },
  ];
  const plugin = priority({
    priorityClass: async (name) => classes.find(({ metadata }) => metadata?.name === name),
    defaultPriorityClass: async () => classes[1],
  });
  const none = priority({ priorityClass: async () => undefined, defaultPriorityClass: async () => undefined });

  it('sets the number from the class name', async () => {
    const chosen = await admit(plugin, 'pods', object('Pod', { priorityClassName: 'high' }));
    assert.deepEqual(chosen, { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'Never' });
    const usual = await admit(plugin, 'pods', object('Pod'));
    assert.deepEqual(usual, { priorityClassName: 'usual', priority: 5, preemptionPolicy: 'PreemptLowerPriority' });
    assert.deepEqual(await admit(none, 'pods', object('Pod')), {
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
    });
  });

  it('rejects a number from the client', async () => {
    await assert.rejects(admit(plugin, 'pods', object('Pod', { priority: 7 })), { code: 403, message: /computed 5/ });
    await assert.rejects(admit(plugin, 'pods', object('Pod', { priorityClassName: 'no' })), {
      message: /no PriorityClass with name no was found/,
    });
  });

  it("restores the server's values in an update that omits them", async () => {
    const oldObject = object('Pod', { priority: 1000, preemptionPolicy: 'Never' });
    const spec = await admit(plugin, 'pods', object('Pod'), { operation: 'UPDATE', oldObject });
    assert.deepEqual(spec, { priority: 1000, preemptionPolicy: 'Never' });
  });
});

describe('the default priority class', () => {
  const only = { metadata: { name: 'first' }, value: 1, globalDefault: true };
  const plugin = priority({ priorityClass: async () => undefined, defaultPriorityClass: async () => only });
  const check = (name: string, globalDefault: boolean, operation: 'CREATE' | 'UPDATE' = 'CREATE') =>
    validate(
      plugin,
      '',
      { ...object('PriorityClass', {}, { name }), globalDefault },
      {
        resource: { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' },
        name,
        operation,
      },
    );

  it('is unique', async () => {
    await check('second', false);
    await check('first', true, 'UPDATE');
    for (const operation of ['CREATE', 'UPDATE'] as const) {
      await assert.rejects(check('second', true, operation), {
        message:
          'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass first is already marked as default. Only one default can exist',
      });
    }
  });
});

describe('defaults of new objects', () => {
  it('tolerations of a pod for nodes that are not ready or unreachable', async () => {
    const spec = await admit(
      defaultTolerationSeconds,
      'pods',
      object('Pod', { tolerations: [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists' }] }),
    );
    assert.deepEqual(
      (spec.tolerations as { key: string; tolerationSeconds?: number }[]).map(({ key, tolerationSeconds }) => [
        key,
        tolerationSeconds,
      ]),
      [
        ['node.kubernetes.io/unreachable', undefined],
        ['node.kubernetes.io/not-ready', 300],
      ],
    );
    const tolerant = await admit(
      defaultTolerationSeconds,
      'pods',
      object('Pod', { tolerations: [{ operator: 'Exists' }] }),
    );
    assert.equal((tolerant.tolerations as unknown[]).length, 1);
  });

  it('the not-ready taint of a new node', async () => {
    const node = object('Node');
    await admit(taintNodesByCondition, 'nodes', node);
    const spec = await admit(taintNodesByCondition, 'nodes', node);
    assert.deepEqual(spec.taints, [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
  });

  it('the finalizer that protects volumes, claims and attributes classes', async () => {
    const claim = object('PersistentVolumeClaim', {}, { name: 'a', finalizers: ['x/y'] });
    await admit(storageObjectInUseProtection, 'persistentvolumeclaims', claim);
    await admit(storageObjectInUseProtection, 'persistentvolumeclaims', claim);
    assert.deepEqual(claim.metadata.finalizers, ['x/y', 'kubernetes.io/pvc-protection']);
    const attributes = object('VolumeAttributesClass');
    const resource = { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattributesclasses' };
    await admit(storageObjectInUseProtection, 'volumeattributesclasses', attributes, { resource });
    assert.deepEqual(attributes.metadata.finalizers, ['kubernetes.io/vac-protection']);
    const pod = object('Pod');
    await admit(storageObjectInUseProtection, 'pods', pod);
    assert.equal(pod.metadata.finalizers, undefined);
  });
});

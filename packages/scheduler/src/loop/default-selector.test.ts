import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { SharedInformerFactory } from '@binnacle/client/cache';
import { DynamicClient } from '@binnacle/client/dynamic';
import { ReplicaSet, StatefulSet } from '@binnacle/client/kinds/apps/v1';
import { ReplicationController, Service } from '@binnacle/client/kinds/core/v1';
import { FakeObjects } from '@binnacle/client/testing';
import { PodFacts } from '../framework/index.js';
import { podObject } from '../testing/index.js';
import { defaultSelectorCaches, defaultSelectorFrom } from './default-selector.js';

const metadata = (name: string, namespace = 'default') => ({ name, namespace });
const template = { metadata: { labels: {} }, spec: { containers: [] } };

const service = (name: string, selector?: Record<string, string>, namespace?: string): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadata(name, namespace),
  ...(selector === undefined ? {} : { spec: { selector } }),
});

const replicationController: ReplicationController = {
  apiVersion: 'v1',
  kind: 'ReplicationController',
  metadata: metadata('owner'),
  spec: { selector: { from: 'controller' } },
};

const replicaSet = (selector: ReplicaSet['spec']): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: metadata('owner'),
  ...(selector === undefined ? {} : { spec: selector }),
});

const statefulSet: StatefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: metadata('owner'),
  spec: { serviceName: 's', selector: { matchLabels: { from: 'stateful' } }, template },
};

function pod(labels: Record<string, string>, owner?: string): PodFacts {
  const object = podObject('p', { labels });
  if (owner === undefined) return new PodFacts(object);
  const [apiVersion = '', kind = ''] = owner.split(' ');
  const ownerReferences = [{ apiVersion, kind, name: 'owner', uid: 'u', controller: true }];
  return new PodFacts({ ...object, metadata: { ...object.metadata, ownerReferences } });
}

type Row = readonly [string, readonly Service[], (objects: FakeObjects) => unknown, PodFacts, string | undefined];

const noOwner = (): void => undefined;
const inZone = { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] };

describe('the default selector of a pod', () => {
  for (const [what, services, addOwner, given, expected] of [
    ['of no service and no owner is none', [], noOwner, pod({ app: 'web' }), undefined],
    [
      'is that of its services',
      [service('s', { app: 'web' }), service('t', { tier: 'front' }), service('other', { app: 'db' })],
      noOwner,
      pod({ app: 'web', tier: 'front', more: 'x' }),
      'app=web,tier=front',
    ],
    [
      'leaves out services without a selector and of other namespaces',
      [service('none'), service('empty', {}), service('far', { app: 'web' }, 'far')],
      noOwner,
      pod({ app: 'web' }),
      undefined,
    ],
    [
      'is that of its ReplicationController',
      [],
      (objects) => objects.set(ReplicationController, replicationController),
      pod({}, 'v1 ReplicationController'),
      'from=controller',
    ],
    [
      'is that of its StatefulSet',
      [],
      (objects) => objects.set(StatefulSet, statefulSet),
      pod({}, 'apps/v1 StatefulSet'),
      'from=stateful',
    ],
    [
      'joins its services and its ReplicaSet',
      [service('s', { app: 'web' })],
      (objects) => objects.set(ReplicaSet, replicaSet({ selector: inZone, template })),
      pod({ app: 'web' }, 'apps/v1 ReplicaSet'),
      'app=web,zone in (a,b)',
    ],
    [
      'leaves out an owner that selects nothing',
      [service('s', { app: 'web' })],
      (objects) => objects.set(ReplicaSet, replicaSet(undefined)),
      pod({ app: 'web' }, 'apps/v1 ReplicaSet'),
      'app=web',
    ],
    ['leaves out an owner that is gone', [], noOwner, pod({ app: 'web' }, 'apps/v1 ReplicaSet'), undefined],
    [
      'leaves out owners of other kinds',
      [],
      (objects) => objects.set(StatefulSet, statefulSet),
      pod({}, 'batch/v1 Job'),
      undefined,
    ],
  ] satisfies readonly Row[]) {
    it(what, async () => {
      const kinds = [Service, ReplicationController, ReplicaSet, StatefulSet] as const;
      const objects = new FakeObjects(kinds);
      for (const each of services) objects.set(Service, each);
      addOwner(objects);
      const parts = { clock: new VirtualClock(0), random: seededRandom(1) };
      const informers = new SharedInformerFactory(new DynamicClient(objects.transport), parts);
      const selectorOf = defaultSelectorFrom(informers);
      assert.equal(defaultSelectorCaches(informers).length, kinds.length);
      const stopping = new AbortController();
      const running = informers.run(stopping.signal);
      await settle();
      assert.equal(selectorOf(given)?.toString(), expected);
      stopping.abort(new Error('the test ends'));
      await running;
    });
  }
});

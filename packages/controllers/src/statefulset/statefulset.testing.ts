import type { StatefulSet } from '@binnacle/client/kinds/apps/v1';
import type { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import type { ClaimCache } from './claims.js';
import type { SeenStatefulSet } from './plan.js';

/** Builds StatefulSets and their pods for tables of tests. */
export const NOW = Date.parse('2026-01-01T12:00:00Z');
const LONG_AGO = '2026-01-01T00:00:00Z';

type Spec = NonNullable<StatefulSet['spec']>;

export function statefulSet(
  spec: Partial<Spec> = {},
  metadata: StatefulSet['metadata'] = {},
  status: Partial<NonNullable<StatefulSet['status']>> = {},
): StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'shop', uid: 'db-uid', generation: 2, ...metadata },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'db' } },
      serviceName: 'db',
      template: template('new'),
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      podManagementPolicy: 'OrderedReady',
      revisionHistoryLimit: 10,
      ...spec,
    },
    status: { replicas: 0, ...status },
  };
}

export function template(image: string): Spec['template'] {
  return { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'main', image }] } };
}

/**
 * Pods in short: `0` is pod `db-0` of the update revision, available. Letters after the number: `o` of the old revision, `p` pending, `u` unready, `y`
 * young (ready for 5 s), `f` failed, `s` succeeded, `d` being deleted, `x` without the label of its name.
 */
export function pod(text: string): Pod {
  const [, ordinal = '', letters = ''] = /^(\d+)([a-z]*)$/.exec(text) ?? [];
  const is = (letter: string) => letters.includes(letter);
  const name = `db-${ordinal}`;
  const since = is('y') ? '2026-01-01T11:59:55Z' : LONG_AGO;
  const phase = is('p') ? 'Pending' : is('f') ? 'Failed' : is('s') ? 'Succeeded' : 'Running';
  const isReady = phase === 'Running' && !is('u');
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: `${name}-uid`,
      labels: {
        app: 'db',
        'controller-revision-hash': is('o') ? 'db-old' : 'db-new',
        ...(is('x') ? {} : { 'statefulset.kubernetes.io/pod-name': name }),
      },
      ...(is('d') ? { deletionTimestamp: LONG_AGO } : {}),
    },
    spec: { containers: [] },
    status: { phase, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: since }] },
  };
}

export function seen(set: StatefulSet, pods: string, claims: readonly PersistentVolumeClaim[] = []): SeenStatefulSet {
  return {
    set,
    pods: pods === '' ? [] : pods.split(' ').map(pod),
    current: { name: 'db-old', template: template('old') },
    update: { name: 'db-new', template: template('new') },
    collisionCount: 0,
    claimOf: cacheOf(claims),
    now: NOW,
  };
}

export function cacheOf(claims: readonly PersistentVolumeClaim[]): ClaimCache {
  return (name) => claims.find(({ metadata }) => metadata.name === name);
}

export function claim(
  name: string,
  ownerReferences: PersistentVolumeClaim['metadata']['ownerReferences'] = [],
  metadata: PersistentVolumeClaim['metadata'] = {},
): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'shop', ownerReferences, ...metadata },
  };
}

export const volumeClaimTemplates = [
  {
    metadata: { name: 'data', labels: { made: 'by-template' } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
] as const;

import type { Deployment, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { controllerReference } from '../common/index.js';
import { sizeAnnotations } from './annotations.js';

/** Builds Deployments and their sets for tables of tests. */
export const NOW = Date.parse('2026-01-01T12:00:00Z');
export const NOON = '2026-01-01T12:00:00Z';

export interface Traits {
  readonly replicas?: number;
  readonly surge?: number | string;
  readonly unavailable?: number | string;
  readonly strategy?: 'Recreate' | 'RollingUpdate';
  readonly image?: string;
  readonly paused?: boolean;
  readonly deadline?: number;
  readonly historyLimit?: number;
  readonly annotations?: Record<string, string>;
  readonly status?: NonNullable<Deployment['status']>;
}

export function deployment(traits: Traits = {}): Deployment {
  const {
    replicas = 10,
    surge = 3,
    unavailable = 2,
    strategy = 'RollingUpdate',
    image = 'v2',
    paused = false,
  } = traits;
  const { deadline = 600, historyLimit = 10, annotations = {}, status = {} } = traits;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', uid: 'web-uid', generation: 2, annotations },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: template(image),
      strategy:
        strategy === 'Recreate'
          ? { type: 'Recreate' }
          : { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } },
      paused,
      progressDeadlineSeconds: deadline,
      revisionHistoryLimit: historyLimit,
    },
    status,
  };
}

export interface SetTraits {
  readonly image: string;
  readonly revision: number;
  readonly replicas: number;
  readonly available?: number;
  /** The replicas and the surge of the Deployment when it scaled the set. */
  readonly size?: readonly [number, number];
  readonly deleted?: boolean;
}

/** A set that its controller has seen. Sets of higher revisions are younger. */
export function replicaSet({
  image,
  revision,
  replicas,
  available = replicas,
  size = [10, 3],
  deleted = false,
}: SetTraits): ReplicaSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `web-${image}`,
      namespace: 'default',
      uid: `uid-${image}`,
      generation: 1,
      creationTimestamp: `2026-01-01T11:00:${String(revision).padStart(2, '0')}Z`,
      labels: { app: 'web' },
      annotations: { 'deployment.kubernetes.io/revision': String(revision), ...sizeAnnotations(...size) },
      ownerReferences: [controllerReference(deployment())],
      ...(deleted ? { deletionTimestamp: NOON } : {}),
    },
    spec: {
      replicas,
      minReadySeconds: 0,
      selector: { matchLabels: { app: 'web', 'pod-template-hash': image } },
      template: template(image, { 'pod-template-hash': image }),
    },
    status: {
      replicas,
      readyReplicas: available,
      availableReplicas: available,
      observedGeneration: 1,
      terminatingReplicas: 0,
    },
  };
}

function template(image: string, labels: Record<string, string> = {}) {
  return { metadata: { labels: { app: 'web', ...labels } }, spec: { containers: [{ name: 'main', image }] } };
}

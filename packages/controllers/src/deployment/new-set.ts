import type { Deployment, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { controllerReference, templateHash } from '../common/index.js';
import { newSetAnnotations, sizeAnnotations } from './annotations.js';
import { maxSurge } from './limits.js';
import { newSetReplicas } from './rolling.js';
import { replicasOf, TEMPLATE_HASH } from './sets.js';

const MAX_NAME = 253;

/**
 * The ReplicaSet of the current template, for a Deployment that has none yet. Its name is the hash of the template, so that it is created once, whoever
 * creates it.
 */
export function createdSet(deployment: Deployment, oldSets: readonly ReplicaSet[], revision: bigint): ReplicaSet {
  const { metadata, spec, status } = deployment;
  const { template = {}, selector = {}, minReadySeconds } = spec ?? {};
  const hash = templateHash(template, status?.collisionCount);
  const labels = { ...template.metadata?.labels, [TEMPLATE_HASH]: hash };
  const { name = '', namespace } = metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name.slice(0, MAX_NAME - 1 - hash.length)}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels,
      annotations: {
        ...newSetAnnotations(deployment, {}, revision),
        ...sizeAnnotations(replicasOf(deployment), maxSurge(deployment)),
      },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: newSetReplicas(deployment, oldSets, 0),
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [TEMPLATE_HASH]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** The existing set of the current template, with what it takes over from the Deployment. The same object if nothing changes. */
export function adjustedSet(deployment: Deployment, set: ReplicaSet, revision: bigint): ReplicaSet {
  const present = set.metadata.annotations ?? {};
  const annotations = newSetAnnotations(deployment, present, revision);
  const { minReadySeconds = 0 } = deployment.spec ?? {};
  const isSame = Object.entries(annotations).every(([key, value]) => present[key] === value);
  if (set.spec === undefined || (isSame && (set.spec.minReadySeconds ?? 0) === minReadySeconds)) return set;
  return { ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, minReadySeconds } };
}

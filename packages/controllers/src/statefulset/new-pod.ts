import type { StatefulSet } from '@binnacle/client/kinds/apps/v1';
import type { Pod, PodTemplateSpec, Volume } from '@binnacle/client/kinds/core/v1';
import { podFromTemplate } from '../common/index.js';
import { claimName, identityOf, podName, startOf, withIdentity, withRevision } from './identity.js';

/** A revision, as the plan needs it. */
export interface Revision {
  readonly name: string;
  readonly template: PodTemplateSpec;
}

/** The pod to create for an ordinal: from the current revision below the partition, else from the update revision. */
export function newPod(set: StatefulSet, current: Revision, update: Revision, ordinal: number): Pod {
  const { name, template } = isBelowPartition(set, ordinal) ? current : update;
  const { metadata, spec } = podFromTemplate(template, set);
  const podNamed = podName(set, ordinal);
  const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: podNamed } };
  const subdomain = set.spec?.serviceName ?? '';
  const hostname = { hostname: podNamed, ...(subdomain === '' ? {} : { subdomain }) };
  const identified = withIdentity(set, { ...pod, spec: { containers: [], ...spec, ...hostname } });
  return withRevision(withStorage(set, identified), name);
}

function isBelowPartition(set: StatefulSet, ordinal: number): boolean {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  const index = ordinal - startOf(set);
  if (rollingUpdate !== undefined) return index < (rollingUpdate.partition ?? 0);
  return type === 'RollingUpdate' && index < (set.status?.currentReplicas ?? 0);
}

/** Whether the pod mounts the claims of its ordinal. */
export function hasStorage(set: StatefulSet, pod: Pod): boolean {
  const claims = new Map(pod.spec?.volumes?.map(({ name, persistentVolumeClaim }) => [name, persistentVolumeClaim]));
  return claimVolumes(set, pod).every(
    ({ name, persistentVolumeClaim }) => claims.get(name)?.claimName === persistentVolumeClaim?.claimName,
  );
}

/** The pod with the claims of its ordinal in place of volumes of the same names. */
export function withStorage(set: StatefulSet, pod: Pod): Pod {
  const claims = claimVolumes(set, pod);
  const names = new Set(claims.map(({ name }) => name));
  const volumes = [...claims, ...(pod.spec?.volumes ?? []).filter(({ name }) => !names.has(name))];
  return volumes.length === 0 ? pod : { ...pod, spec: { containers: [], ...pod.spec, volumes } };
}

function claimVolumes(set: StatefulSet, pod: Pod): Volume[] {
  const { ordinal } = identityOf(pod);
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => ({
    name: template.metadata.name ?? '',
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }));
}

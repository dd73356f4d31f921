import type { Indexer, Lister } from '@binnacle/client/cache';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import type { CSIDriver } from '@binnacle/client/kinds/storage/v1';
import { ephemeralClaimName, isClaimOfPod, isPodTerminal, podsOnNode } from '../common/index.js';
import { attachmentName, type CsiVolume, csiVolumeOf } from './volume-names.js';

/** A volume that pods of a node use, and that must be attached for them. */
export interface WantedVolume extends CsiVolume {
  readonly volume: PersistentVolume;
  readonly pods: readonly Pod[];
}

export interface WantedCaches {
  readonly pods: Indexer<Pod>;
  readonly claims: Lister<PersistentVolumeClaim>;
  readonly volumes: Lister<PersistentVolume>;
  readonly drivers: Lister<CSIDriver>;
}

/** The volumes that a node needs, by the names of their attachments. */
export function wantedBy(node: string, { pods, claims, volumes, drivers }: WantedCaches): Map<string, WantedVolume> {
  const wanted = new Map<string, WantedVolume & { readonly pods: Pod[] }>();
  for (const pod of podsOnNode(pods, node)) {
    if (!needsVolumes(pod)) continue;
    for (const volume of volumesOf(pod, claims, volumes)) {
      const csi = csiVolumeOf(volume);
      if (csi === undefined || drivers.get(csi.driver)?.spec.attachRequired === false) continue;
      const name = attachmentName(csi, node);
      const present = wanted.get(name);
      if (present === undefined) wanted.set(name, { ...csi, volume, pods: [pod] });
      else present.pods.push(pod);
    }
  }
  return wanted;
}

/** A pod that is on a node and has not ended. One that is being deleted needs its volumes until its containers have stopped. */
export function needsVolumes(pod: Pod): boolean {
  if ((pod.spec?.nodeName ?? '') === '' || isPodTerminal(pod)) return false;
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = pod.status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  const isStopped = statuses.every(({ state }) => state?.terminated !== undefined || state?.waiting !== undefined);
  return pod.metadata.deletionTimestamp === undefined || !isStopped;
}

/** The bound volumes of a pod's claims. A claim counts only if the volume refers to it, since users write the names. */
function volumesOf(
  pod: Pod,
  claims: Lister<PersistentVolumeClaim>,
  volumes: Lister<PersistentVolume>,
): PersistentVolume[] {
  const ofNamespace = claims.namespace(pod.metadata.namespace ?? '');
  return (pod.spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    const isEphemeral = persistentVolumeClaim === undefined && ephemeral !== undefined;
    const claimName = persistentVolumeClaim?.claimName ?? (isEphemeral ? ephemeralClaimName(pod, name) : '');
    const claim = ofNamespace.get(claimName);
    if (claim?.status?.phase !== 'Bound' || (isEphemeral && !isClaimOfPod(claim, pod))) return [];
    const volume = volumes.get(claim.spec?.volumeName ?? '');
    return volume !== undefined && volume.spec?.claimRef?.uid === claim.metadata.uid ? [volume] : [];
  });
}

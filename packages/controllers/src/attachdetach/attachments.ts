import type { Lister } from '@binnacle/client/cache';
import type { Node, PersistentVolume } from '@binnacle/client/kinds/core/v1';
import type { VolumeAttachment } from '@binnacle/client/kinds/storage/v1';
import type { KnownAttachment } from './plan.js';
import { attachmentName, csiVolumeOf, uniqueName, volumeOfName } from './volume-names.js';
import type { WantedVolume } from './wanted.js';

export const BY_NODE = 'node';
export const BY_VOLUME = 'volume';

export const attachmentIndexes = {
  [BY_NODE]: ({ spec }: VolumeAttachment) => [spec.nodeName],
  [BY_VOLUME]: ({ spec }: VolumeAttachment) => [spec.source.persistentVolumeName],
};

/**
 * The attachments whose names follow from their volumes. The volume may be gone, and then the node's status tells what was attached. Others are
 * not this loop's.
 */
export function knownAttachments(
  attachments: readonly VolumeAttachment[],
  node: string,
  status: Node['status'],
  volumes: Lister<PersistentVolume>,
): KnownAttachment[] {
  const reported = (status?.volumesAttached ?? []).flatMap(({ name }) => volumeOfName(name) ?? []);
  const byName = new Map(reported.map((each) => [attachmentName(each, node), uniqueName(each)]));
  return attachments.flatMap((attachment) => {
    const { name = '' } = attachment.metadata;
    const volume = volumes.get(attachment.spec.source.persistentVolumeName ?? '');
    const csi = volume === undefined ? undefined : csiVolumeOf(volume);
    const unique = csi !== undefined && attachmentName(csi, node) === name ? uniqueName(csi) : byName.get(name);
    return unique === undefined ? [] : [{ attachment, unique }];
  });
}

export function newAttachment(name: string, { driver, volume }: WantedVolume, nodeName: string): VolumeAttachment {
  const source = { persistentVolumeName: volume.metadata.name ?? '' };
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name },
    spec: { attacher: driver, source, nodeName },
  };
}

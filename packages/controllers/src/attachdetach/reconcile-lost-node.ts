import type { ReconcileContext, ReconcileResult } from '@binnacle/client/controller';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { CSIDriver, VolumeAttachment } from '@binnacle/client/kinds/storage/v1';
import { unlessGone } from '../common/index.js';
import { BY_NODE, knownAttachments } from './attachments.js';
import type { NodeMemory } from './node-memory.js';
import { UNMOUNT_MILLISECONDS } from './plan.js';
import { wantedBy } from './wanted.js';

/** Detaches the volumes of a node that does not exist, once its pods are gone. A volume that it may still use goes after a while. */
export async function reconcileLostNode(
  name: string,
  context: ReconcileContext,
  memory: NodeMemory,
): Promise<ReconcileResult | void> {
  const { lister, indexer, client, clock, signal } = context;
  const volumes = lister(PersistentVolume);
  const caches = { pods: indexer(Pod), claims: lister(PersistentVolumeClaim), volumes, drivers: lister(CSIDriver) };
  const wanted = wantedBy(name, caches);
  const now = clock.now();
  let requeueAfter = Number.POSITIVE_INFINITY;
  for (const { attachment, unique } of knownAttachments(
    indexer(VolumeAttachment).byIndex(BY_NODE, name),
    name,
    undefined,
    volumes,
  )) {
    const { name: id = '', uid = '', deletionTimestamp } = attachment.metadata;
    if (wanted.has(id) || deletionTimestamp !== undefined) continue;
    const left = memory.unwantedSince(attachment, now) + UNMOUNT_MILLISECONDS - now;
    if (memory.volumesInUse?.includes(unique) === false || left <= 0) {
      await unlessGone(client.resource(VolumeAttachment).delete(id, { preconditions: { uid }, signal }));
    } else requeueAfter = Math.min(requeueAfter, left);
  }
  return Number.isFinite(requeueAfter) ? { requeueAfter } : undefined;
}

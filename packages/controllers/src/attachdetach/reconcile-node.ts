import type { ReconcileResult } from '@binnacle/client/controller';
import type { EventRecorder } from '@binnacle/client/events';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { CSIDriver, VolumeAttachment } from '@binnacle/client/kinds/storage/v1';
import { isAlreadyExists } from '@binnacle/client/rest';
import { type LatestObjects, type OwnerContext, podsNaming, requeue, unlessGone } from '../common/index.js';
import { BY_NODE, BY_VOLUME, knownAttachments, newAttachment } from './attachments.js';
import { attachedText, blockedText, failedText } from './messages.js';
import type { NodeMemory } from './node-memory.js';
import { isManaged, type NodePlan, planNode } from './plan.js';
import { needsVolumes, wantedBy, type WantedVolume } from './wanted.js';

export interface NodeContext extends OwnerContext {
  readonly recorder: EventRecorder;
  readonly memory: NodeMemory;
  readonly attachments: LatestObjects<VolumeAttachment>;
}

/** Attaches the volumes that the pods of a node need, detaches the others, and reports what is attached in the node's status. */
export async function reconcileNode(node: Node, context: NodeContext): Promise<ReconcileResult | void> {
  if (!isManaged(node)) return;
  const { writer, memory } = context;
  memory.volumesInUse = node.status?.volumesInUse ?? [];
  const plan = planOf(node, context);
  if (plan.report !== undefined) {
    await writer.patchStatus(Node, node, {
      metadata: { uid: node.metadata.uid ?? '' },
      status: { volumesAttached: plan.report.length === 0 ? null : plan.report.map((each) => ({ ...each })) },
    });
  }
  for (const wanted of plan.attached)
    tell(wanted.pods, 'Normal', 'SuccessfulAttachVolume', attachedText(wanted), context);
  for (const { known, isForced } of plan.detach) {
    if (isForced || !(await isInUse(node, known.unique, context))) {
      await writer.delete(VolumeAttachment, known.attachment);
    }
  }
  for (const { name, wanted } of plan.attach) await attach(name, wanted, node, context);
  warn(plan, context);
  return requeue(plan.requeueAfter);
}

function planOf(node: Node, { lister, indexer, clock, memory, attachments }: NodeContext): NodePlan {
  const { name = '' } = node.metadata;
  const volumes = lister(PersistentVolume);
  const caches = { pods: indexer(Pod), claims: lister(PersistentVolumeClaim), volumes, drivers: lister(CSIDriver) };
  const wanted = wantedBy(name, caches);
  const known = knownAttachments(
    attachments.candidates(BY_NODE, name).filter(({ spec }) => spec.nodeName === name),
    name,
    node.status,
    volumes,
  );
  const now = clock.now();
  const isUnwanted = (attachment: VolumeAttachment) => !wanted.has(attachment.metadata.name ?? '');
  memory.keep(
    new Set(known.flatMap(({ attachment }) => (isUnwanted(attachment) ? (attachment.metadata.uid ?? []) : []))),
    new Set(wanted.keys()),
  );
  return planNode({
    node,
    wanted,
    known,
    othersOf: ({ volume }) =>
      attachments
        .candidates(BY_VOLUME, volume.metadata.name ?? '')
        .filter(({ spec }) => spec.nodeName !== name && spec.source.persistentVolumeName === volume.metadata.name),
    unwantedSince: (attachment) => memory.unwantedSince(attachment, now),
    now,
  });
}

async function attach(
  name: string,
  wanted: WantedVolume,
  node: Node,
  { writer, attachments }: NodeContext,
): Promise<void> {
  try {
    attachments.wrote(await writer.create(VolumeAttachment, newAttachment(name, wanted, node.metadata.name ?? '')));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

/** Before a volume goes, the server has the last word on whether the node uses it. */
async function isInUse(
  { metadata: { name = '' } }: Node,
  unique: string,
  { client, signal }: NodeContext,
): Promise<boolean> {
  const live = await unlessGone(client.resource(Node).get(name, { signal }));
  return live?.status?.volumesInUse?.includes(unique) ?? false;
}

/** Each warning is given once, until it changes. */
function warn({ failed, blocked }: NodePlan, context: NodeContext): void {
  const { memory, indexer } = context;
  for (const { attachment, wanted, why } of failed) {
    const {
      metadata: { name = '', uid = '' },
      status,
    } = attachment;
    if (!memory.warns(name, [uid, status?.attachError?.time ?? '', why].join())) continue;
    tell(wanted.pods, 'Warning', 'FailedAttachVolume', failedText(wanted, why), context);
  }
  for (const { name, wanted, by } of blocked) {
    if (!memory.warns(name, by.join())) continue;
    const { namespace, name: claim } = wanted.volume.spec?.claimRef ?? {};
    const users = podsNaming(indexer(Pod), namespace, claim).filter(
      (pod) => needsVolumes(pod) && by.includes(pod.spec?.nodeName ?? ''),
    );
    tell(wanted.pods, 'Warning', 'FailedAttachVolume', blockedText(wanted, users), context);
  }
}

function tell(
  pods: readonly Pod[],
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
  { recorder }: NodeContext,
): void {
  for (const pod of pods) recorder.event(pod, type, reason, message);
}

import type { AttachedVolume, Node, PersistentVolume } from '@binnacle/client/kinds/core/v1';
import type { VolumeAttachment } from '@binnacle/client/kinds/storage/v1';
import { isNodeReady, timeOf } from '../common/index.js';
import { uniqueName, volumeOfName } from './volume-names.js';
import type { WantedVolume } from './wanted.js';

/** A node that has not reported a volume as unmounted for this long loses the volume, if the node is not ready. */
export const UNMOUNT_MILLISECONDS = 6 * 60_000;
/** After this long, an event tells users that the attacher has not acted. */
const ATTACH_MILLISECONDS = 2 * 60_000;

/** An attachment that this loop knows: its volume has a name in the status of nodes. */
export interface KnownAttachment {
  readonly attachment: VolumeAttachment;
  readonly unique: string;
}

export interface SeenNode {
  readonly node: Node;
  /** By the names of their attachments. */
  readonly wanted: ReadonlyMap<string, WantedVolume>;
  readonly known: readonly KnownAttachment[];
  /** Attachments of the same volume to other nodes. */
  readonly othersOf: (wanted: WantedVolume) => readonly VolumeAttachment[];
  /** Since when the attachment has not been needed. */
  readonly unwantedSince: (attachment: VolumeAttachment) => number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface NodePlan {
  readonly attach: readonly { readonly name: string; readonly wanted: WantedVolume }[];
  /** Attached since the last report. */
  readonly attached: readonly WantedVolume[];
  readonly failed: readonly {
    readonly attachment: VolumeAttachment;
    readonly wanted: WantedVolume;
    readonly why: string;
  }[];
  /** Another node has the volume, which only one may have. */
  readonly blocked: readonly { readonly name: string; readonly wanted: WantedVolume; readonly by: readonly string[] }[];
  readonly detach: readonly { readonly known: KnownAttachment; readonly isForced: boolean }[];
  /** For the status of the node; undefined if that is right. */
  readonly report: readonly AttachedVolume[] | undefined;
  /** Milliseconds until the plan can differ without an event. */
  readonly requeueAfter: number | undefined;
}

const MANAGED = 'volumes.kubernetes.io/controller-managed-attach-detach';

/** Kubelets leave attachments to this loop, unless they are told otherwise. */
export function isManaged({ metadata }: Node): boolean {
  return metadata.annotations?.[MANAGED] !== undefined;
}

export function planNode(seen: SeenNode): NodePlan {
  const { node, wanted, known } = seen;
  const detachments = planDetachments(seen);
  const attachments = [...wanted].map(([name, each]) => planAttachment(name, each, seen));
  const leaving = new Set(detachments.detach.map(({ known: { attachment } }) => attachment));
  const attached = known.filter(({ attachment }) => isAttached(attachment) && !leaving.has(attachment));
  const report = reportOf(
    node,
    attached.map(({ unique }) => unique),
  );
  const reported = new Set((node.status?.volumesAttached ?? []).map(({ name }) => name));
  return {
    attach: attachments.flatMap(({ attach }) => attach ?? []),
    attached: attachments.flatMap(({ attached }) => attached ?? []).filter((each) => !reported.has(uniqueName(each))),
    failed: attachments.flatMap(({ failed }) => failed ?? []),
    blocked: attachments.flatMap(({ blocked }) => blocked ?? []),
    detach: detachments.detach,
    report,
    requeueAfter: earliest([detachments.requeueAfter, ...attachments.map(({ requeueAfter }) => requeueAfter)]),
  };
}

interface AttachmentPlan {
  readonly attach?: NodePlan['attach'][number];
  readonly attached?: WantedVolume;
  readonly failed?: NodePlan['failed'][number];
  readonly blocked?: NodePlan['blocked'][number];
  readonly requeueAfter?: number | undefined;
}

function planAttachment(name: string, wanted: WantedVolume, { known, othersOf, now }: SeenNode): AttachmentPlan {
  const attachment = known.find((each) => each.attachment.metadata.name === name)?.attachment;
  if (attachment !== undefined) {
    // The volume is attached again once the attachment is gone.
    if (attachment.metadata.deletionTimestamp !== undefined) return {};
    if (attachment.status?.attached === true) return { attached: wanted };
    const { message } = attachment.status?.attachError ?? {};
    if (message !== undefined) return { failed: { attachment, wanted, why: message } };
    const left = (timeOf(attachment.metadata.creationTimestamp) ?? now) + ATTACH_MILLISECONDS - now;
    if (left > 0) return { requeueAfter: left };
    const { driver, handle } = wanted;
    const why = `timed out waiting for external-attacher of ${driver} CSI driver to attach volume ${handle}`;
    return { failed: { attachment, wanted, why } };
  }
  const others = isShareable(wanted.volume) ? [] : othersOf(wanted);
  if (others.length === 0) return { attach: { name, wanted } };
  const holders = others.filter(isAttached).map(({ spec }) => spec.nodeName);
  return holders.length === 0 ? {} : { blocked: { name, wanted, by: holders } };
}

function planDetachments({ node, wanted, known, unwantedSince, now }: SeenNode) {
  const inUse = new Set(node.status?.volumesInUse);
  const isLost = node.spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service') ?? false;
  const detach: NodePlan['detach'][number][] = [];
  let requeueAfter: number | undefined;
  for (const each of known) {
    const { attachment, unique } = each;
    if (wanted.has(attachment.metadata.name ?? '') || attachment.metadata.deletionTimestamp !== undefined) continue;
    const left = unwantedSince(attachment) + UNMOUNT_MILLISECONDS - now;
    const isForced = isLost || (left <= 0 && !isNodeReady(node));
    if (!inUse.has(unique) || isForced) detach.push({ known: each, isForced });
    else if (left > 0 && !isNodeReady(node)) requeueAfter = earliest([requeueAfter, left]);
  }
  return { detach, requeueAfter };
}

/** Volumes of other plugins stay as they are. */
function reportOf({ status }: Node, names: readonly string[]): readonly AttachedVolume[] | undefined {
  const before = status?.volumesAttached ?? [];
  const foreign = before.filter(({ name }) => volumeOfName(name) === undefined);
  const report = [...foreign, ...names.toSorted().map((name) => ({ name, devicePath: '' }))];
  const isSame =
    report.length === before.length && report.every(({ name }) => before.some((each) => each.name === name));
  return isSame ? undefined : report;
}

function isAttached({ metadata, status }: VolumeAttachment): boolean {
  return status?.attached === true && metadata.deletionTimestamp === undefined;
}

/** Several nodes may have the volume. Without access modes, the attacher finds out. */
function isShareable({ spec }: PersistentVolume): boolean {
  const { accessModes = [] } = spec ?? {};
  return accessModes.length === 0 || accessModes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany');
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce(
    (first, time) => (first === undefined || (time !== undefined && time < first) ? time : first),
    undefined,
  );
}

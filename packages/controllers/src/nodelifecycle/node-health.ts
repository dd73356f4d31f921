import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { formatTime } from '@binnacle/apimachinery/time';
import type { Lease } from '@binnacle/client/kinds/coordination/v1';
import type { Node, NodeCondition, NodeStatus } from '@binnacle/client/kinds/core/v1';
import { findCondition, timeOf } from '../common/index.js';
import type { NodeLifecycleSettings } from './settings.js';

/** The signs of life that the loop has seen. Nodes have clocks of their own, so only the times at which it saw them count. */
export interface NodeHealth {
  readonly uid: string | undefined;
  /** When the last sign was seen, in milliseconds since the epoch. */
  readonly seenAt: number;
  readonly ready: NodeCondition | undefined;
  /** Milliseconds since the epoch, by the clock of the node. */
  readonly renewedAt: number | undefined;
}

export interface ObservedNode {
  readonly node: Node;
  readonly lease: Lease | undefined;
  /** The health that was known before; undefined for a new node. */
  readonly known: NodeHealth | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The node counts as alive without a heartbeat, because a simulation leaves heartbeats out. Default: false. */
  readonly hasHeartbeat?: boolean;
}

export interface NodeAssessment {
  readonly health: NodeHealth;
  /** The status to write; undefined if it stays. */
  readonly status: NodeStatus | undefined;
  /** The condition Ready as it is, or Unknown. */
  readonly before: NodeCondition;
  /** The condition Ready when the status is written. */
  readonly after: NodeCondition | undefined;
}

/** The conditions that a silent node loses. The others are not the kubelet's. */
const ofKubelet = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

/** Judges a node by its heartbeats: changes of its status, and renewals of its lease. Upstream: `tryUpdateNodeHealth`. */
export function assessNode(observed: ObservedNode, settings: NodeLifecycleSettings): NodeAssessment {
  const { node, now } = observed;
  const ready = findCondition(node.status?.conditions, 'Ready');
  const createdAt = node.metadata.creationTimestamp;
  const before = ready ?? { type: 'Ready', status: 'Unknown', ...heartbeat(createdAt), ...transition(createdAt) };
  const health = healthOf(observed, ready);
  const grace = ready === undefined ? settings.startupGrace : settings.monitorGrace;
  if (now <= health.seenAt + grace) return { health, status: undefined, before, after: ready };
  const conditions = silentConditions(node, now);
  const after = findCondition(conditions, 'Ready');
  const changes = after === undefined || !deepEqual(asJson(before), asJson(after));
  return {
    health: changes ? { ...health, ready: after } : health,
    status: changes ? { ...node.status, conditions } : undefined,
    before,
    after,
  };
}

function healthOf(
  { node, lease, known, now, hasHeartbeat = false }: ObservedNode,
  ready: NodeCondition | undefined,
): NodeHealth {
  const { uid, creationTimestamp } = node.metadata;
  const renewedAt = timeOf(lease?.spec?.renewTime);
  const isRenewed = renewedAt !== undefined && (known?.renewedAt === undefined || known.renewedAt < renewedAt);
  // A new node that has never reported is silent since its creation.
  const first = ready === undefined ? (timeOf(creationTimestamp) ?? now) : now;
  const hasReported = ready !== undefined && known?.ready?.lastHeartbeatTime !== ready.lastHeartbeatTime;
  const isNew = known === undefined || (known.ready === undefined && ready !== undefined);
  const seenAt =
    isRenewed || (hasHeartbeat && ready !== undefined) ? now : isNew ? first : hasReported ? now : known.seenAt;
  const seen = isNew || hasReported || ready === undefined ? ready : known.ready;
  return { uid, seenAt, ready: seen, renewedAt: isRenewed ? renewedAt : known?.renewedAt };
}

function silentConditions({ metadata, status }: Node, now: number): NodeCondition[] {
  const present = status?.conditions ?? [];
  const lastTransitionTime = formatTime(now);
  const missing = ofKubelet.filter((type) => findCondition(present, type) === undefined);
  const isOfKubelet = (type: string) => ofKubelet.some((each) => each === type);
  return [
    ...present.map((condition) => {
      if (!isOfKubelet(condition.type) || condition.status === 'Unknown') return condition;
      const message = 'Kubelet stopped posting node status.';
      return { ...condition, status: 'Unknown', reason: STOPPED_REPORTING, message, lastTransitionTime };
    }),
    ...missing.map((type) => ({
      type,
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
      ...heartbeat(metadata.creationTimestamp),
      lastTransitionTime,
    })),
  ];
}

/** The reason in conditions of a node that was silent for too long. */
export const STOPPED_REPORTING = 'NodeStatusUnknown';

function heartbeat(lastHeartbeatTime: string | null | undefined): Pick<NodeCondition, 'lastHeartbeatTime'> {
  return lastHeartbeatTime === undefined || lastHeartbeatTime === null ? {} : { lastHeartbeatTime };
}

function transition(lastTransitionTime: string | null | undefined): Pick<NodeCondition, 'lastTransitionTime'> {
  return lastTransitionTime === undefined || lastTransitionTime === null ? {} : { lastTransitionTime };
}

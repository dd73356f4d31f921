import { findCondition } from '@binnacle/controllers/common';
import { formatTime } from '@binnacle/apimachinery/time';
import type { Pod, PodCondition } from '@binnacle/client/kinds/core/v1';

/** The changes of a pod's status; undefined if it already says so. */
export interface StatusChange {
  readonly condition?: Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'> | undefined;
  /** Empty: no node is nominated. Undefined: leave it. */
  readonly nominatedNode?: string | undefined;
}

/** One change in place of two that follow each other. */
export function laterChange(earlier: StatusChange, later: StatusChange): StatusChange {
  return {
    condition: later.condition ?? earlier.condition,
    nominatedNode: later.nominatedNode ?? earlier.nominatedNode,
  };
}

/** The body of a strategic merge patch. Upstream: `updatePod` of `schedule_one.go`. */
export function statusPatch({ metadata, status }: Pod, change: StatusChange, now: number) {
  const { condition, nominatedNode } = change;
  const present = condition && findCondition(status?.conditions, condition.type);
  const changesCondition =
    condition !== undefined &&
    (present?.status !== condition.status ||
      present.reason !== condition.reason ||
      present.message !== condition.message);
  const changesNode = nominatedNode !== undefined && nominatedNode !== (status?.nominatedNodeName ?? '');
  if (!changesCondition && !changesNode) return undefined;
  const keepsTime = present?.status === condition?.status && present?.lastTransitionTime !== undefined;
  const written = condition && {
    ...condition,
    ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    lastTransitionTime: keepsTime ? present?.lastTransitionTime : formatTime(now),
  };
  return {
    metadata: { uid: metadata.uid },
    status: {
      ...(changesCondition ? { conditions: [written] } : {}),
      ...(changesNode ? { nominatedNodeName: nominatedNode === '' ? null : nominatedNode } : {}),
    },
  };
}

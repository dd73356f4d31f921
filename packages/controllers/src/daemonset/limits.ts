import type { DaemonSet } from '@binnacle/client/kinds/apps/v1';
import { scaledValue } from '../common/index.js';

/** How many nodes a rolling update may touch at a time. */
export interface Limits {
  /** Nodes with two pods. */
  readonly surge: number;
  /** Nodes without an available pod. */
  readonly unavailable: number;
}

export function limitsOf(set: DaemonSet, wantedNodes: number): Limits {
  const { type, rollingUpdate = {} } = set.spec?.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return { surge: 0, unavailable: wantedNodes > 0 ? 1 : 0 };
  const surge = scaledValue(rollingUpdate.maxSurge, wantedNodes, 'up');
  const unavailable = scaledValue(rollingUpdate.maxUnavailable, wantedNodes, 'up');
  const isStuck = wantedNodes > 0 && surge === 0 && unavailable === 0;
  return { surge, unavailable: isStuck ? 1 : unavailable };
}

/** Whether a node may have an old pod and a new one. */
export function allowsSurge(set: DaemonSet): boolean {
  return limitsOf(set, 1).surge > 0;
}

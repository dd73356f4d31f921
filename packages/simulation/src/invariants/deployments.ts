import { controllerOf } from '@binnacle/client/controller';
import { Deployment, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { type ClusterState, isOf, type StoreEvent } from '../history/index.js';
import type { Invariant } from './invariant.js';

interface Limits {
  readonly most: number;
  readonly least: number;
}

/**
 * The Deployment controller never lets ReplicaSets want more pods than the surge allows, nor fewer than may be
 * unavailable. While it has not observed a change of the Deployment, the limits before and after count.
 */
export function deploymentLimits(): Invariant {
  const known = new Map<string, Limits>();
  return {
    name: 'deployment-limits',
    check: (state, event) => {
      if (isOf(Deployment, event.object)) remember(known, event.object, event.after === undefined);
      return isOf(ReplicaSet, event.object) ? judge(known, state, event) : undefined;
    },
  };
}

function remember(known: Map<string, Limits>, deployment: Deployment, isGone: boolean): void {
  const { uid = '', generation = 1 } = deployment.metadata;
  if (isGone) {
    known.delete(uid);
    return;
  }
  const current = limitsOf(deployment);
  const before = known.get(uid) ?? current;
  const isObserved = (deployment.status?.observedGeneration ?? 0) >= generation;
  const both = { most: Math.max(before.most, current.most), least: Math.min(before.least, current.least) };
  known.set(uid, isObserved ? current : both);
}

/** Upstream: `deploymentutil.MaxSurge`, `deploymentutil.MaxUnavailable`. */
function limitsOf({ spec }: Deployment): Limits {
  const replicas = spec?.replicas ?? 1;
  if (spec?.strategy?.type === 'Recreate') return { most: replicas, least: 0 };
  const { maxSurge = 0, maxUnavailable = 0 } = spec?.strategy?.rollingUpdate ?? {};
  const surge = partOf(maxSurge, replicas, Math.ceil);
  const unavailable = partOf(maxUnavailable, replicas, Math.floor);
  return { most: replicas + surge, least: replicas - (unavailable === 0 && surge === 0 ? 1 : unavailable) };
}

function partOf(value: number | string, total: number, round: (exact: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * total) / 100);
}

function judge(known: ReadonlyMap<string, Limits>, state: ClusterState, event: StoreEvent): string | undefined {
  const { before, after, object } = event;
  if (before === undefined || after === undefined || !isOf(ReplicaSet, before) || !isOf(ReplicaSet, after))
    return undefined;
  const change = (after.spec?.replicas ?? 1) - (before.spec?.replicas ?? 1);
  const owner = controllerOf(object);
  const limits = known.get(owner?.uid ?? '');
  if (change === 0 || owner === undefined || limits === undefined) return undefined;
  const wanted = state.controlledBy(ReplicaSet, owner.uid).reduce((sum, { spec }) => sum + (spec?.replicas ?? 1), 0);
  const facts = `the ReplicaSets of Deployment ${owner.name} want ${wanted} pods`;
  if (change > 0 && wanted > limits.most) return `${facts}, and at most ${limits.most} are allowed`;
  if (change < 0 && wanted < limits.least) return `${facts}, and at least ${limits.least} must remain`;
  return undefined;
}

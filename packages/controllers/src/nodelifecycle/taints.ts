import { formatTime } from '@binnacle/apimachinery/time';
import type { Node, Taint } from '@binnacle/client/kinds/core/v1';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';

/** Conditions, the status that taints a node, and the key of the taint. */
const ofConditions: readonly (readonly [type: string, status: string, key: string])[] = [
  ['Ready', 'False', NOT_READY],
  ['Ready', 'Unknown', UNREACHABLE],
  ['MemoryPressure', 'True', 'node.kubernetes.io/memory-pressure'],
  ['DiskPressure', 'True', 'node.kubernetes.io/disk-pressure'],
  ['NetworkUnavailable', 'True', 'node.kubernetes.io/network-unavailable'],
  ['PIDPressure', 'True', 'node.kubernetes.io/pid-pressure'],
];

const managedKeys = new Set([UNSCHEDULABLE, ...ofConditions.map(([, , key]) => key)]);

/** The taints of a node that keep new pods away as its conditions demand; undefined if it has them. Others stay. */
export function noScheduleTaints({ spec, status }: Node, now: number): readonly Taint[] | undefined {
  const present = spec?.taints ?? [];
  const wanted = (status?.conditions ?? []).flatMap(({ type, status }) =>
    ofConditions.filter((row) => row[0] === type && row[1] === status).map(([, , key]) => key),
  );
  if (spec?.unschedulable === true) wanted.push(UNSCHEDULABLE);
  const isManaged = ({ key, effect }: Taint) => effect === 'NoSchedule' && managedKeys.has(key);
  const kept = present.filter((taint) => !isManaged(taint) || wanted.includes(taint.key));
  const has = new Set(kept.filter(isManaged).map(({ key }) => key));
  const added = [...new Set(wanted)].filter((key) => !has.has(key));
  if (added.length === 0 && kept.length === present.length) return undefined;
  return [...kept, ...added.map((key): Taint => ({ key, effect: 'NoSchedule', timeAdded: formatTime(now) }))];
}

/** The taints of a node that evict its pods if it is not ready, or unreachable; undefined if it has them. */
export function noExecuteTaints({ spec }: Node, ready: string, now: number): readonly Taint[] | undefined {
  const present = spec?.taints ?? [];
  const wanted = { False: NOT_READY, Unknown: UNREACHABLE }[ready];
  const kept = present.filter((taint) => !isEvicting(taint) || taint.key === wanted);
  const isAdded = wanted !== undefined && !kept.some((taint) => isEvicting(taint));
  if (!isAdded && kept.length === present.length) return undefined;
  return isAdded ? [...kept, { key: wanted, effect: 'NoExecute', timeAdded: formatTime(now) }] : kept;
}

/** Whether the node has one of the taints that evict pods from silent nodes. */
export function isEvicted({ spec }: Node): boolean {
  return spec?.taints?.some(isEvicting) === true;
}

function isEvicting({ key, effect }: Taint): boolean {
  return effect === 'NoExecute' && (key === NOT_READY || key === UNREACHABLE);
}

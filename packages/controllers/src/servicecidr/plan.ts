import { hasFinalizer } from '@binnacle/client/controller';
import type { IPAddress, ServiceCIDR } from '@binnacle/client/kinds/networking/v1';
import { findCondition } from '../common/index.js';
import { offers, overlaps, prefixesOf, serviceAddress } from './prefixes.js';

export const FINALIZER = 'networking.k8s.io/service-cidr-finalizer';

/** API servers may still allocate from a range that is being deleted, until they have seen that. */
const GRACE_MILLISECONDS = 10_000;

export interface ReadyCondition {
  readonly type: 'Ready';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

const ready: ReadyCondition = {
  type: 'Ready',
  status: 'True',
  reason: '',
  message: 'Kubernetes Service CIDR is ready',
};

const inUse: ReadyCondition = {
  type: 'Ready',
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
};

export interface RangeView {
  readonly range: ServiceCIDR;
  /** All ranges, also this one. */
  readonly ranges: readonly ServiceCIDR[];
  /** Called only for a range that is being deleted. */
  readonly addresses: () => readonly IPAddress[];
  /** When the deletion was requested, in milliseconds since the epoch; undefined if it was not. */
  readonly deletedAt: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface RangePlan {
  readonly finalizer?: 'add' | 'remove';
  /** Set if the range does not have it yet. */
  readonly condition?: ReadyCondition;
  /** Milliseconds. */
  readonly requeueAfter?: number;
}

/** Upstream: kubernetes `pkg/controller/servicecidrs`. */
export function planRange(view: RangeView): RangePlan {
  const { range, deletedAt, now } = view;
  const isProtected = hasFinalizer(range, FINALIZER);
  if (deletedAt === undefined) return { ...(isProtected ? {} : { finalizer: 'add' }), ...change(range, ready) };
  if (!isFree(view)) return change(range, inUse);
  const wait = deletedAt + GRACE_MILLISECONDS - now;
  if (wait > 0) return { requeueAfter: wait };
  return isProtected ? { finalizer: 'remove' } : {};
}

function change({ status }: ServiceCIDR, condition: ReadyCondition): Pick<RangePlan, 'condition'> {
  const before = findCondition(status?.conditions, condition.type);
  const isSet =
    before?.status === condition.status &&
    (before.reason ?? '') === condition.reason &&
    (before.message ?? '') === condition.message;
  return isSet ? {} : { condition };
}

/** Whether the range may go: other ranges contain it, or all addresses of services in it. */
function isFree({ range, ranges, addresses }: RangeView): boolean {
  const others = ranges.filter(({ metadata }) => metadata.name !== range.metadata.name);
  const prefixes = prefixesOf(range);
  const otherPrefixes = others.flatMap(prefixesOf);
  const isCovered = prefixes.every((prefix) =>
    otherPrefixes.some((other) => overlaps(other, prefix) && other.length <= prefix.length),
  );
  if (isCovered) return true;
  return !addresses()
    .map(serviceAddress)
    .filter((address) => address !== undefined)
    .some((address) => {
      const isInRange = prefixes.some((prefix) => offers(prefix, address));
      return isInRange && !otherPrefixes.some((other) => offers(other, address));
    });
}

import {
  type Amounts,
  amountsOf,
  countedResource,
  matchesScopes,
  overdueAt,
  type QuotaEvaluator,
  sumOf,
  textsOf,
} from '@binnacle/api/quota';
import {
  asJson,
  asObject,
  formatGroupResource,
  type GroupResource,
  type KubernetesObject,
} from '@binnacle/apimachinery/meta';
import { Quantity } from '@binnacle/apimachinery/quantity';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { ResourceQuota, ResourceQuotaStatus } from '@binnacle/client/kinds/core/v1';
import type { TypedObject } from '@binnacle/client/typed';

/** A kind that quotas count. */
export interface CountedKind {
  readonly kind: string;
  readonly evaluator: QuotaEvaluator;
}

/** The objects of a kind in the namespace of the quota. */
export interface CountedObjects extends CountedKind {
  readonly objects: readonly TypedObject[];
}

export interface QuotaPlan {
  /** Undefined: the status is right. */
  readonly status: ResourceQuotaStatus | undefined;
  /** Milliseconds until a pod that is being deleted stops counting; undefined if there is none. */
  readonly requeueAfter: number | undefined;
}

/** A millisecond or two. A pod may ask for thousands of resources. */
const AMOUNTS_A_STEP = 2000;

/**
 * Counts the usage of a quota. A resource whose kind is not among the counted ones keeps its last usage. A step counts some objects.
 * Upstream: `CalculateUsage`.
 */
export function* planQuota(quota: ResourceQuota, counted: readonly CountedObjects[], now: number): Steps<QuotaPlan> {
  const hard = amountsOf(quota.spec?.hard);
  const before = quota.status;
  const pace = new Pace(AMOUNTS_A_STEP);
  let usage: Amounts = new Map();
  let next = Infinity;
  for (const { kind, evaluator, objects } of counted) {
    const measured = [...hard.keys()].filter((name) => evaluator.measures(name));
    usage = sumOf(usage, new Map(measured.map((name) => [name, Quantity.of(0)])));
    if (measured.length === 0) continue;
    for (const object of objects) {
      if (!matchesScopes(quota, kind, viewOf(object))) continue;
      const all = evaluator.usage(viewOf(object), now);
      usage = sumOf(usage, only(all, measured));
      if (pace.endsStep(1 + all.size)) yield;
      if (kind === 'Pod' && overdueAt(viewOf(object)) >= now) next = Math.min(next, overdueAt(viewOf(object)));
    }
  }
  const used = new Map([...amountsOf(before?.used), ...usage].filter(([name]) => hard.has(name)));
  const isCurrent =
    before?.hard !== undefined &&
    before.used !== undefined &&
    isEqual(amountsOf(before.hard), hard) &&
    isEqual(amountsOf(before.used), used);
  return {
    status: isCurrent ? undefined : { hard: quota.spec?.hard ?? {}, used: textsOf(used) },
    // The moment after.
    requeueAfter: next === Infinity ? undefined : next - now + 1,
  };
}

/** The resources that a quota may limit, by the names in its `hard`. Pods and others have several names. */
export function countedResources(quota: ResourceQuota, special: ReadonlyMap<string, CountedKind>): GroupResource[] {
  const found = new Map<string, GroupResource>();
  for (const name of Object.keys(quota.spec?.hard ?? {})) {
    for (const [resource, { evaluator }] of special) {
      if (evaluator.measures(name)) found.set(resource, parseResource(resource));
    }
    const counted = countedResource(name);
    if (counted !== undefined) found.set(formatGroupResource(counted), counted);
  }
  return [...found.values()];
}

function parseResource(text: string): GroupResource {
  const [resource = '', ...group] = text.split('.');
  return { group: group.join('.'), resource };
}

/** Whether the change of an object may change the usage of the quota. */
export function changesUsage(
  quota: ResourceQuota,
  { kind, evaluator }: CountedKind,
  before: TypedObject,
  after: TypedObject,
  now: number,
): boolean {
  const usageOf = (object: TypedObject): Amounts | undefined =>
    matchesScopes(quota, kind, viewOf(object)) ? evaluator.usage(viewOf(object), now) : undefined;
  const [one, other] = [usageOf(before), usageOf(after)];
  return one === undefined || other === undefined ? one !== other : !isEqual(one, other);
}

/** Whether the quota limits what the kind uses. */
export function limits({ spec }: ResourceQuota, { evaluator }: CountedKind): boolean {
  return Object.keys(spec?.hard ?? {}).some((name) => evaluator.measures(name));
}

function only(amounts: Amounts, names: readonly string[]): Amounts {
  return new Map([...amounts].filter(([name]) => names.includes(name)));
}

function isEqual(one: Amounts, other: Amounts): boolean {
  return one.size === other.size && [...one].every(([name, amount]) => other.get(name)?.compare(amount) === 0);
}

/** The object in the type that the rules of quotas take. */
function viewOf(object: TypedObject): KubernetesObject {
  return asObject(asJson(object));
}

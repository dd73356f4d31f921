import {
  type Amounts,
  amountsOf,
  evaluatorOf,
  excessOf,
  matchesScopes,
  type QuotaEvaluator,
  sumOf,
  textsOf,
} from '@binnacle/api/quota';
import { asKind, formatGroupResource } from '@binnacle/apimachinery/meta';
import type { Pod, ResourceQuota } from '@binnacle/api/types/core-v1';
import type { Quantity } from '@binnacle/apimachinery/quantity';
import { StatusError } from '@binnacle/apimachinery/status';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { AdmissionAttributes, AdmissionPlugin } from '../../plugin.js';
import { refusal } from '../../refuse.js';
import { canChangeUsage } from './handled-requests.js';
import { type LimitedResource, refuseUncovered } from './limited-resources.js';
import { missingFromPod } from './pod-requirements.js';

/** The number of retries after a conflict with another writer. */
const RETRIES = 3;

export interface ResourceQuotaSource {
  /** The current quotas of a namespace. It must be cheap for a namespace without quotas. */
  resourceQuotas(namespace: string): Awaitable<readonly Readonly<ResourceQuota>[]>;
  /** Writes status.used. Rejects with a conflict when the quota has changed since it was read. */
  recordUsage(quota: Readonly<ResourceQuota>, used: Readonly<Record<string, string>>): Promise<void>;
}

interface Charge {
  readonly quota: Readonly<ResourceQuota>;
  readonly used: Amounts;
}

/**
 * Charges each write to the quotas before it is stored, and refuses a write that exceeds one. A quota takes effect when
 * the controller has set its status. `limited`: the resources that need a quota.
 * Upstream: apiserver `pkg/admission/plugin/resourcequota`.
 */
export function resourceQuota(source: ResourceQuotaSource, limited: readonly LimitedResource[] = []): AdmissionPlugin {
  // Requests in one namespace are serialized, because they write the same quotas.
  const queues = new Map<string, Promise<void>>();
  const inTurn = async (namespace: string, work: () => Promise<void>): Promise<void> => {
    const turn = (queues.get(namespace) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    queues.set(namespace, settled);
    try {
      await turn;
    } finally {
      if (queues.get(namespace) === settled) queues.delete(namespace);
    }
  };
  return {
    name: 'ResourceQuota',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate(attributes) {
      const { namespace, resource, object } = attributes;
      if (namespace === '' || object === undefined || formatGroupResource(resource) === 'namespaces') return;
      const evaluator = evaluatorOf(resource);
      if (evaluator === undefined || !canChangeUsage(attributes)) return;
      return check(attributes, evaluator);
    },
  };

  async function check(attributes: AdmissionAttributes, evaluator: QuotaEvaluator): Promise<void> {
    const { namespace } = attributes;
    if (limited.length === 0 && (await source.resourceQuotas(namespace)).length === 0) return;
    await inTurn(namespace, async () => {
      let open: ReadonlySet<string> | undefined;
      for (let attempt = 0; ; attempt++) {
        const quotas = await source.resourceQuotas(namespace);
        const charges = chargesOf(
          attributes,
          evaluator,
          quotas.filter(({ metadata }) => open === undefined || open.has(metadata?.name ?? '')),
          // The first attempt has seen every quota.
          open === undefined ? limited : [],
        );
        if (attributes.dryRun) return;
        const failed = new Map<string, StatusError>();
        for (const { quota, used } of charges) {
          try {
            await source.recordUsage(quota, textsOf(used));
          } catch (error) {
            if (!(error instanceof StatusError)) throw error;
            failed.set(quota.metadata?.name ?? '', error);
          }
        }
        const [lost] = failed.values();
        if (lost === undefined) return;
        if (attempt === RETRIES) throw lost;
        open = new Set(failed.keys());
      }
    });
  }
}

/**
 * The charges of a request, one per quota that applies. Throws 403 in upstream's words when a quota would be exceeded.
 */
function chargesOf(
  attributes: AdmissionAttributes,
  evaluator: QuotaEvaluator,
  quotas: readonly Readonly<ResourceQuota>[],
  limited: readonly LimitedResource[],
): Charge[] {
  const { object, oldObject, kind } = attributes;
  if (object === undefined) return [];
  const relevant = quotas.filter((quota) => {
    const names = measuredNames(evaluator, quota);
    return names.length > 0 && matchesScopes(quota, kind.kind, object);
  });
  for (const quota of relevant) checkQuota(attributes, quota, measuredNames(evaluator, quota));
  const usage = evaluator.usage(object);
  const negative = [...usage].filter(([, amount]) => amount.sign < 0).map(([name]) => name);
  if (negative.length > 0) throw refusal(attributes, `quota usage is negative for resource(s): ${inOrder(negative)}`);
  const increase = (countedBefore: boolean): Amounts =>
    excessOf(usage, countedBefore && oldObject !== undefined ? evaluator.usage(oldObject) : new Map());
  const increases = relevant.map(
    (quota) => [quota, increase(oldObject !== undefined && matchesScopes(quota, kind.kind, oldObject))] as const,
  );
  const some = relevant.length === 0 ? increase(true).size > 0 : increases.some(([, amounts]) => amounts.size > 0);
  if (limited.length > 0 && some) refuseUncovered(attributes, limited, evaluator, usage, { quotas, relevant });
  return increases.flatMap(([quota, amounts]) => {
    const hard = amountsOf(quota.status?.hard);
    const requested = only(amounts, hard);
    if (requested.size === 0) return [];
    const used = sumOf(amountsOf(quota.status?.used), requested);
    if (attributes.subresource !== 'status') refuseExcess(attributes, quota, requested, used, hard);
    return [{ quota, used }];
  });
}

function measuredNames(evaluator: QuotaEvaluator, quota: Readonly<ResourceQuota>): string[] {
  return Object.keys(quota.status?.hard ?? {}).filter((name) => evaluator.measures(name));
}

function checkQuota(attributes: AdmissionAttributes, quota: Readonly<ResourceQuota>, names: readonly string[]): void {
  const quotaName = quota.metadata?.name ?? '';
  if (attributes.kind.kind === 'Pod' && attributes.kind.group === '') {
    const missing = missingFromPod(asKind<Pod>(attributes.object) ?? {}, names);
    if (missing !== undefined) throw refusal(attributes, `failed quota: ${quotaName}: ${missing}`);
  }
  const used = quota.status?.used ?? {};
  if (names.some((name) => !Object.hasOwn(used, name))) {
    throw refusal(attributes, `status unknown for quota: ${quotaName}, resources: ${inOrder(names)}`);
  }
}

function refuseExcess(
  attributes: AdmissionAttributes,
  quota: Readonly<ResourceQuota>,
  requested: Amounts,
  used: Amounts,
  hard: Amounts,
): void {
  const exceeded = new Map(
    [...hard].filter(([name, bound]) => requested.has(name) && (used.get(name)?.compare(bound) ?? 0) > 0),
  );
  if (exceeded.size === 0) return;
  const before = only(amountsOf(quota.status?.used), exceeded);
  const parts = `requested: ${shown(only(requested, exceeded))}, used: ${shown(before)}, limited: ${shown(exceeded)}`;
  throw refusal(attributes, `exceeded quota: ${quota.metadata?.name}, ${parts}`);
}

function only(amounts: Amounts, names: Amounts): Map<string, Quantity> {
  return new Map([...amounts].filter(([name]) => names.has(name)));
}

function shown(amounts: Amounts): string {
  return [...amounts]
    .map(([name, amount]) => `${name}=${amount.toString()}`)
    .sort()
    .join(',');
}

function inOrder(names: readonly string[]): string {
  return [...names].sort().join(',');
}

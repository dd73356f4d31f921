import { type Amounts, matchedScopes, type QuotaEvaluator, type ScopeRule, scopeRulesOf } from '@binnacle/api/quota';
import type { ResourceQuota } from '@binnacle/api/types/core-v1';
import type { GroupResource } from '@binnacle/apimachinery/meta';
import { unclassified } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes } from '../../plugin.js';
import { refusal } from '../../refuse.js';

/** A resource that is used only under a quota that limits it. Upstream: `resourcequota.LimitedResource`. */
export interface LimitedResource {
  readonly resource: GroupResource;
  /** Quota resources whose name contains one of these need a quota. */
  readonly matchContains: readonly string[];
  /** Objects of these scopes need a quota of the scope. */
  readonly matchScopes: readonly ScopeRule[];
}

/**
 * Refuses a write that uses a limited resource, or that has a limited scope, without a quota for it. `relevant` are those
 * of `quotas` that apply to the write. Upstream: `CheckRequest` of apiserver `pkg/admission/plugin/resourcequota`.
 */
export function refuseUncovered(
  attributes: AdmissionAttributes,
  limited: readonly LimitedResource[],
  evaluator: QuotaEvaluator,
  usage: Amounts,
  { quotas, relevant }: { readonly quotas: readonly Readonly<ResourceQuota>[]; readonly relevant: typeof quotas },
): void {
  const covered = new Set(relevant.flatMap(({ status }) => Object.keys(status?.hard ?? {})));
  const uncovered = limitedNames(attributes, limited, usage).filter(
    (name) => !(covered.has(name) && evaluator.measures(name)),
  );
  if (uncovered.length > 0) {
    throw refusal(attributes, `insufficient quota to consume: ${[...new Set(uncovered)].sort().join(',')}`);
  }
  refuseUncoveredScopes(attributes, limited, quotas);
}

/** The quota resources that the write uses and that need a quota. */
function limitedNames(
  { resource }: AdmissionAttributes,
  limited: readonly LimitedResource[],
  usage: Amounts,
): readonly string[] {
  const used = [...usage].filter(([, amount]) => amount.sign > 0).map(([name]) => name);
  return limited
    .filter((rule) => rule.resource.group === resource.group && rule.resource.resource === resource.resource)
    .flatMap(({ matchContains }) => used.filter((name) => matchContains.some((part) => name.includes(part))));
}

function refuseUncoveredScopes(
  { kind: { kind }, object }: AdmissionAttributes,
  limited: readonly LimitedResource[],
  quotas: readonly Readonly<ResourceQuota>[],
): void {
  if (object === undefined) return;
  const wanted = limited.flatMap(({ matchScopes }) => matchedScopes(matchScopes, kind, object));
  if (wanted.length === 0) return;
  const covered = new Set(
    quotas.flatMap((quota) => matchedScopes(scopeRulesOf(quota), kind, object).map(({ scopeName }) => scopeName)),
  );
  const uncovered = wanted.filter(({ scopeName }) => !covered.has(scopeName));
  if (uncovered.length === 0) return;
  const shown = uncovered.map(
    ({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(' ')}]}`,
  );
  throw unclassified(`insufficient quota to match these scopes: [${shown.join(' ')}]`);
}

import type { PersistentVolumeClaim, Pod } from '../generated/types/core-v1.js';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { podAffinityTerms } from '../pods/index.js';

/** Selects objects by a fact, such as the priority class of a pod. Upstream: `ScopedResourceSelectorRequirement`. */
export interface ScopeRule {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** The part of a ResourceQuota that selects objects. */
export interface ScopedQuota {
  readonly spec?:
    | {
        readonly scopes?: readonly string[] | undefined;
        readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRule[] | undefined } | undefined;
      }
    | undefined;
}

/** Whether the scopes of a quota select an object. Upstream: `podMatchesScopeFunc`, `pvcMatchesScopeFunc`. */
export function matchesScopes(quota: ScopedQuota, kind: string, object: Readonly<KubernetesObject>): boolean {
  return scopeRulesOf(quota).every((rule) => matches(rule, kind, object));
}

/** The rules that select an object. */
export function matchedScopes(
  rules: readonly ScopeRule[],
  kind: string,
  object: Readonly<KubernetesObject>,
): readonly ScopeRule[] {
  return rules.filter((rule) => matches(rule, kind, object));
}

export function scopeRulesOf({ spec }: ScopedQuota): readonly ScopeRule[] {
  return [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(spec?.scopeSelector?.matchExpressions ?? []),
  ];
}

function matches(rule: ScopeRule, kind: string, object: Readonly<KubernetesObject>): boolean {
  if (kind === 'Pod') return podMatches(rule, object);
  return kind === 'PersistentVolumeClaim' && claimMatches(rule, object);
}

function podMatches(rule: ScopeRule, pod: Pod): boolean {
  switch (rule.scopeName) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return pod.status?.qosClass === 'BestEffort';
    case 'NotBestEffort':
      return pod.status?.qosClass !== 'BestEffort';
    case 'PriorityClass':
      return selects(rule, pod.spec?.priorityClassName ? [pod.spec.priorityClassName] : []);
    case 'CrossNamespacePodAffinity':
      return podAffinityTerms(pod.spec).some(
        (term) => (term.namespaces ?? []).length > 0 || term.namespaceSelector !== undefined,
      );
    default:
      return false;
  }
}

function claimMatches(rule: ScopeRule, { spec, status }: PersistentVolumeClaim): boolean {
  if (rule.scopeName !== 'VolumeAttributesClass') return false;
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return selects(
    rule,
    names.filter((name) => name !== undefined && name !== ''),
  );
}

/** Matches like a label selector on a label that is missing or has any of these values. */
function selects({ operator, values = [] }: ScopeRule, held: readonly (string | undefined)[]): boolean {
  switch (operator) {
    case 'Exists':
      return held.length > 0;
    case 'DoesNotExist':
      return held.length === 0;
    case 'In':
      return held.some((value) => values.includes(value ?? ''));
    case 'NotIn':
      return held.length === 0 || held.some((value) => !values.includes(value ?? ''));
    default:
      return false;
  }
}

/** Whether a pod has a deadline (`activeDeadlineSeconds`). */
export function isTerminating({ spec }: Readonly<Pod>): boolean {
  return spec?.activeDeadlineSeconds !== undefined && spec.activeDeadlineSeconds >= 0;
}

import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { Affinity, NodeSelectorTerm, PodSpec } from '../../generated/types/core-v1.js';
import { fieldNamed } from '../../table/index.js';
import { list, shownMap } from '../common.js';
import { type GoStruct, shownStruct } from '../go-struct.js';

const AFFINITY = 'io.k8s.api.core.v1.Affinity';
const TERMS = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
const SHOWN_REQUIREMENT: GoStruct = { Key: ['key', ''], Operator: ['operator', ''], Values: ['values', null] };
const SHOWN_TERM: GoStruct = {
  MatchExpressions: ['matchExpressions', null, SHOWN_REQUIREMENT],
  MatchFields: ['matchFields', null, SHOWN_REQUIREMENT],
};

/** An update of a pod with scheduling gates may change which nodes it accepts, but only to fewer ones. */
export function gatedPodUpdate(spec: PodSpec, old: PodSpec): FieldError[] {
  return [...nodeSelectorUpdate(spec, old), ...requiredTermsUpdate(requiredTerms(spec), requiredTerms(old))];
}

/** The new affinity, with node affinity as it was, so that a change of other parts shows. */
export function withOldNodeAffinity(affinity: Affinity | undefined, old: Affinity | undefined): Affinity | undefined {
  const before = old?.nodeAffinity;
  if (semanticEqual(affinity?.nodeAffinity, before, fieldNamed(AFFINITY, 'nodeAffinity'))) return affinity;
  const isAdded = affinity !== undefined && old === undefined;
  if (isAdded && affinity.podAffinity === undefined && affinity.podAntiAffinity === undefined) return undefined;
  const { nodeAffinity: _, ...others } = affinity ?? {};
  return before === undefined ? others : { ...others, nodeAffinity: before };
}

function nodeSelectorUpdate(spec: PodSpec, old: PodSpec): FieldError[] {
  const kept = Object.entries(old.nodeSelector ?? {}).every(([key, value]) => spec.nodeSelector?.[key] === value);
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return kept ? [] : [invalidValue('spec.nodeSelector', shownMap(spec.nodeSelector), detail)];
}

function requiredTerms({ affinity }: PodSpec): readonly NodeSelectorTerm[] | undefined {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
}

/** Terms are alternatives, so a further one would accept more nodes. Upstream: `validateNodeAffinityMutation`. */
function requiredTermsUpdate(
  terms: readonly NodeSelectorTerm[] | undefined,
  before: readonly NodeSelectorTerm[] | undefined,
): FieldError[] {
  const old = list(before);
  if (old.length === 0) return [];
  if (list(terms).length !== old.length) {
    const shown = terms === undefined ? null : terms.map((term) => shownStruct(term, SHOWN_TERM));
    return [invalidValue(TERMS, shown, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return list(terms).flatMap((term, index) => {
    if (onlyAdds(term, old[index] ?? {})) return [];
    const detail = 'only additions are allowed (no mutations or deletions)';
    return [invalidValue(`${TERMS}[${index}]`, shownStruct(term, SHOWN_TERM), detail)];
  });
}

/** An empty term accepts no node, and must stay so. */
function onlyAdds(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const parts = ['matchExpressions', 'matchFields'] as const;
  if (parts.every((part) => list(old[part]).length === 0)) return parts.every((part) => list(term[part]).length === 0);
  return parts.every((part) => semanticEqual(list(term[part]).slice(0, list(old[part]).length), list(old[part])));
}

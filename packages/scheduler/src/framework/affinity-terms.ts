import {
  type LabelSelector,
  LabelSelectorError,
  labelSelectorFromObject,
  nothing,
} from '@binnacle/apimachinery/labels';
import type { Pod, PodAffinityTerm, WeightedPodAffinityTerm } from '@binnacle/client/kinds/core/v1';

/** A term of a pod's affinity to other pods, ready to be compared. Upstream: `framework.AffinityTerm`. */
export interface AffinityTerm {
  readonly topologyKey: string;
  readonly selector: LabelSelector;
  readonly namespaces: ReadonlySet<string>;
  /** Namespaces by their labels, besides those by name. */
  readonly namespaceSelector: LabelSelector;
  /** 0 for a required term. */
  readonly weight: number;
}

export interface AffinityTerms {
  readonly required: readonly AffinityTerm[];
  readonly requiredAnti: readonly AffinityTerm[];
  readonly preferred: readonly AffinityTerm[];
  readonly preferredAnti: readonly AffinityTerm[];
}

/** The parts of another pod that terms compare. */
export interface SelectedPod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>>;

export function affinityTermsOf({ metadata, spec }: Pod): AffinityTerms {
  const { namespace = '' } = metadata;
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  const required = (terms: readonly PodAffinityTerm[] = []) => terms.map((term) => parse(term, namespace, 0));
  const preferred = (terms: readonly WeightedPodAffinityTerm[] = []) =>
    terms.map(({ podAffinityTerm, weight }) => parse(podAffinityTerm, namespace, weight));
  return {
    required: required(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAnti: required(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    preferred: preferred(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    preferredAnti: preferred(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
  };
}

/** Whether the term selects the pod. */
export function selects(term: AffinityTerm, pod: SelectedPod, labelsOf: NamespaceLabels): boolean {
  if (!term.selector.matches(pod.labels)) return false;
  if (term.namespaces.has(pod.namespace)) return true;
  return term.namespaceSelector.selectable && term.namespaceSelector.matches(labelsOf(pod.namespace));
}

/** A term without namespaces is about the pod's own. The server has merged `matchLabelKeys` into the selector. */
function parse(term: PodAffinityTerm, namespace: string, weight: number): AffinityTerm {
  const { topologyKey, labelSelector, namespaces = [], namespaceSelector } = term;
  const ownOnly = namespaces.length === 0 && namespaceSelector === undefined;
  return {
    topologyKey,
    selector: selectorOf(labelSelector),
    namespaces: new Set(ownOnly ? [namespace] : namespaces),
    namespaceSelector: selectorOf(namespaceSelector),
    weight,
  };
}

/** The server has validated the selector. An invalid one selects nothing. */
function selectorOf(object: PodAffinityTerm['labelSelector']): LabelSelector {
  try {
    return labelSelectorFromObject(object);
  } catch (error) {
    if (error instanceof LabelSelectorError) return nothing;
    throw error;
  }
}

import type { PodAffinityTerm, PodSpec, WeightedPodAffinityTerm } from '../generated/types/core-v1.js';

/** What decoding leaves out: a term that says nothing. */
const EMPTY_TERM: PodAffinityTerm = { topologyKey: '' };

/** The term of a preference. Decoding drops one that says nothing, so it may be absent. */
export function preferredTerm({ podAffinityTerm }: Partial<WeightedPodAffinityTerm>): PodAffinityTerm {
  return podAffinityTerm ?? EMPTY_TERM;
}

/** All terms of affinity and anti-affinity to other pods: of each the required ones, then the preferred ones. */
export function podAffinityTerms(spec: PodSpec | undefined): PodAffinityTerm[] {
  return [spec?.affinity?.podAffinity, spec?.affinity?.podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(preferredTerm),
  ]);
}

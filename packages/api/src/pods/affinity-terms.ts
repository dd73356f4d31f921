import type { PodAffinityTerm, PodSpec, WeightedPodAffinityTerm } from '../generated/types/core-v1.js';

/** The term that decoding drops because all its fields are zero. */
const EMPTY_TERM: PodAffinityTerm = { topologyKey: '' };

/** The term of a preference. Decoding drops a term without content, so it may be absent. */
export function preferredTerm({ podAffinityTerm }: Partial<WeightedPodAffinityTerm>): PodAffinityTerm {
  return podAffinityTerm ?? EMPTY_TERM;
}

/** All affinity and anti-affinity terms of a pod: for each, required terms come before preferred ones. */
export function podAffinityTerms(spec: PodSpec | undefined): PodAffinityTerm[] {
  return [spec?.affinity?.podAffinity, spec?.affinity?.podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(preferredTerm),
  ]);
}

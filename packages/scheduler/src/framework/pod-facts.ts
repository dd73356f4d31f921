import { type HostPort, hostPortsOf, Tolerations } from '@binnacle/api/pods';
import type { Pod, PodSpec } from '@binnacle/client/kinds/core/v1';
import { affinityTermsOf, type AffinityTerms } from './affinity-terms.js';
import { type Resources, requestsOf, scoredRequestsOf } from './resources.js';

/** A pod, and facts about it that many attempts need. Computed once for each version of the pod. Upstream: `framework.PodInfo`. */
export class PodFacts {
  readonly pod: Pod;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly priority: number;
  /** The profile that schedules it. */
  readonly schedulerName: string;
  readonly isTerminating: boolean;
  readonly spec: PodSpec;
  readonly requests: Resources;
  readonly scoredRequests: Resources;
  readonly ports: readonly HostPort[];
  readonly terms: AffinityTerms;
  #tolerations: Tolerations | undefined;

  constructor(pod: Pod) {
    const { uid = '', namespace = '', name = '', labels = {}, deletionTimestamp } = pod.metadata;
    this.pod = pod;
    this.uid = uid;
    this.namespace = namespace;
    this.name = name;
    this.labels = labels;
    this.spec = pod.spec ?? { containers: [] };
    this.priority = this.spec.priority ?? 0;
    this.schedulerName = this.spec.schedulerName ?? '';
    this.isTerminating = deletionTimestamp !== undefined;
    this.requests = requestsOf(this.spec, pod.status);
    this.scoredRequests = scoredRequestsOf(this.spec, pod.status);
    this.ports = hostPortsOf(this.spec);
    this.terms = affinityTermsOf(pod);
  }

  /** Prepared on first use. */
  get tolerations(): Tolerations {
    this.#tolerations ??= new Tolerations(this.spec.tolerations);
    return this.#tolerations;
  }

  /** Whether its affinity terms can forbid nodes to others. */
  get repelsOthers(): boolean {
    return this.terms.requiredAnti.length > 0;
  }

  get hasAffinity(): boolean {
    const { required, requiredAnti, preferred, preferredAnti } = this.terms;
    return required.length + requiredAnti.length + preferred.length + preferredAnti.length > 0;
  }
}

import { deploymentLimits } from './deployments.js';
import { disruptionBudgets } from './disruption-budgets.js';
import { identity } from './identity.js';
import type { Invariant } from './invariant.js';
import { jobCounts } from './jobs.js';
import { ownerReferences, podsOfNodes } from './leftovers.js';
import { nodeCapacity } from './node-capacity.js';
import { replicaCounts } from './replica-sets.js';
import { settledWorkloads } from './settled-workloads.js';
import { statefulSetOrdinals } from './stateful-sets.js';

export interface InvariantFacts {
  /** The names of the control loops that run. */
  readonly loops: ReadonlySet<string>;
  /** The scenario ends with workloads at rest. */
  readonly settles: boolean;
  /** Answers of the server can get lost. */
  readonly losesAnswers: boolean;
}

/** New invariants for one run. Some need a control loop. */
export function builtInInvariants({ loops, settles, losesAnswers }: InvariantFacts): Invariant[] {
  return [
    identity(),
    deploymentLimits(),
    ...(losesAnswers ? [] : [replicaCounts()]),
    statefulSetOrdinals(),
    jobCounts(),
    nodeCapacity(),
    disruptionBudgets(),
    ...(loops.has('garbage-collector-controller') ? [ownerReferences()] : []),
    ...(loops.has('pod-garbage-collector-controller') ? [podsOfNodes()] : []),
    ...(settles ? [settledWorkloads()] : []),
  ];
}

import type { NodeState } from './node-state.js';
import type { PodFacts } from './pod-facts.js';
import type { Snapshot } from './snapshot.js';
import type { Status } from './status.js';
import type { WaitingSteps } from './waiting-steps.js';

/** The name of all extenders among the plugins that reject a pod. Upstream: `framework.ExtenderName`. */
export const EXTENDER = 'Extender';

/** The pods to end on a node, the most important first. */
export interface Victims {
  readonly pods: readonly PodFacts[];
  /** How many of them a disruption budget protects. */
  readonly violations: number;
}

export interface ExtenderVerdict {
  readonly feasible: readonly NodeState[];
  /** Why other nodes do not fit, by name. */
  readonly rejected: ReadonlyMap<string, Status>;
}

/**
 * A program outside of the scheduler that has a say in the decisions about some pods. An absent method means that it has none at this
 * point. A method throws, or rejects, if the program fails. Upstream: `fwk.Extender`.
 */
export interface Extender {
  readonly name: string;
  /** Decisions continue without it if it fails. */
  readonly isIgnorable: boolean;
  isInterested(pod: PodFacts): boolean;
  filter?(pod: PodFacts, nodes: readonly NodeState[]): WaitingSteps<ExtenderVerdict>;
  /** What to add to the scores, by the name of the node. */
  prioritize?(pod: PodFacts, nodes: readonly NodeState[]): WaitingSteps<ReadonlyMap<string, number>>;
  /** Takes and returns victims by the name of the node. */
  preempt?(
    pod: PodFacts,
    victims: ReadonlyMap<string, Victims>,
    snapshot: Snapshot,
  ): WaitingSteps<ReadonlyMap<string, Victims>>;
  bind?(pod: PodFacts, nodeName: string, signal: AbortSignal): Promise<void>;
}

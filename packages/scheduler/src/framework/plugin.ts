import type { Random } from '@binnacle/apimachinery/clock';
import type { JsonValue } from '@binnacle/apimachinery/json';
import type { CycleState } from './cycle-state.js';
import type { MaybeSteps } from './in-steps.js';
import type { NodeState } from './node-state.js';
import type { PodFacts } from './pod-facts.js';
import type { EventInterest } from './queueing-hints.js';
import type { Snapshot } from './snapshot.js';
import type { Status } from './status.js';
import type { MaybeWaitingSteps } from './waiting-steps.js';

export const MAX_NODE_SCORE = 100;

/** A pod in the queue. */
export interface QueuedPod {
  readonly facts: PodFacts;
  /** When it came into the queue, by the clock's monotonic time. */
  readonly since: number;
}

/** One attempt to schedule one pod. */
export interface Attempt {
  readonly state: CycleState;
  readonly pod: PodFacts;
  readonly snapshot: Snapshot;
  /** For choices among equals. */
  readonly random: Random;
}

export interface PreFilterResult {
  readonly status: Status;
  /** Only these nodes can fit. Undefined: all can. */
  readonly nodeNames?: ReadonlySet<string> | undefined;
}

/** The score of a node, which NormalizeScore may change: from 0 to {@link MAX_NODE_SCORE} afterwards. */
export interface NodeScore {
  readonly node: NodeState;
  score: number;
}

/** Filters that a PostFilter plugin can repeat. */
export interface FilterRunner {
  /** Adds a pod to the node, and tells the plugins that keep counts. */
  addPod(attempt: Attempt, added: PodFacts, node: NodeState): void;
  removePod(attempt: Attempt, removed: PodFacts, node: NodeState): void;
  /** The first answer that is not Success; also counts the pods that are nominated for the node. */
  filter(attempt: Attempt, node: NodeState): MaybeSteps<Status>;
}

export interface PostFilterResult {
  readonly status: Status;
  /** The node that will have room. Empty: none has. Undefined: leave the nomination as it is. */
  readonly nominatedNode?: string;
  /** Pods to end on that node. */
  readonly victims?: readonly PodFacts[];
}

export interface PermitResult {
  readonly status: Status;
  /** For `Wait`: the final answer. */
  readonly decision?: Promise<Status>;
  /** For `Wait`: milliseconds until the pod is rejected. */
  readonly timeout?: number;
}

/**
 * A plugin has the methods of the extension points that it takes part in. Methods up to Permit are pure functions of their
 * arguments and of what the plugin wrote into the cycle's state. PreFilter, Filter, PostFilter and PreScore may be generators that
 * yield every few milliseconds, so that other work of the process can run. PostFilter may also yield a promise, which the scheduler awaits. A Filter must if its work on one node grows faster than
 * the pod and the node. Upstream: `k8s.io/kube-scheduler/framework`.
 */
export interface Plugin {
  readonly name: string;
  /** Which changes of the cluster may let a pod pass that this plugin has rejected. Default: every change. */
  readonly interests?: readonly EventInterest[];
  /** Whether the pod may enter the queue. */
  preEnqueue?(pod: PodFacts): Status;
  /** QueueSort: negative if `a` comes first. Exactly one plugin of a profile has it. */
  compare?(a: QueuedPod, b: QueuedPod): number;
  preFilter?(attempt: Attempt): MaybeSteps<PreFilterResult>;
  /** Updates the state of PreFilter for a pod that a preemption brings back to a node. */
  addPod?(attempt: Attempt, added: PodFacts, node: NodeState): void;
  removePod?(attempt: Attempt, removed: PodFacts, node: NodeState): void;
  filter?(attempt: Attempt, node: NodeState): MaybeSteps<Status>;
  /** Called when no node fits. `statuses` holds an answer for each node that a plugin rejected. */
  postFilter?(attempt: Attempt, statuses: NodeStatuses, runner: FilterRunner): MaybeWaitingSteps<PostFilterResult>;
  preScore?(attempt: Attempt, nodes: readonly NodeState[]): MaybeSteps<Status>;
  /** An integer. */
  score?(attempt: Attempt, node: NodeState): number;
  normalizeScore?(attempt: Attempt, scores: readonly NodeScore[]): void;
  reserve?(attempt: Attempt, nodeName: string): Status;
  /** Undoes `reserve`. Called in reverse order, also for plugins whose `reserve` was not reached. */
  unreserve?(attempt: Attempt, nodeName: string): void;
  permit?(attempt: Attempt, nodeName: string): PermitResult;
  preBind?(attempt: Attempt, nodeName: string, signal: AbortSignal): Promise<Status>;
  /** Skip leaves the binding to the next plugin. */
  bind?(attempt: Attempt, nodeName: string, signal: AbortSignal): Promise<Status>;
  postBind?(attempt: Attempt, nodeName: string): void;
}

/** An extension point by its name in a KubeSchedulerConfiguration. */
export const EXTENSION_POINTS = [
  'preEnqueue',
  'queueSort',
  'preFilter',
  'filter',
  'postFilter',
  'preScore',
  'score',
  'reserve',
  'permit',
  'preBind',
  'bind',
  'postBind',
] as const;

export type ExtensionPoint = (typeof EXTENSION_POINTS)[number];

/** Makes a plugin of a profile. `args` are those of the profile's `pluginConfig`; undefined if it has none. */
export type PluginFactory = (args: JsonValue | undefined) => Plugin;

/** The answers of the filters. */
export interface NodeStatuses {
  /** The filters' answer for the node; the answer for absent nodes if a PreFilter left it out. */
  get(nodeName: string): Status;
  /** The answers of single nodes. */
  readonly explicit: ReadonlyMap<string, Status>;
  /** The answer of the nodes that `explicit` does not have. */
  readonly absent: Status;
}

/** A plugin of a profile. The weight multiplies its score. */
export interface WeightedPlugin {
  readonly plugin: Plugin;
  readonly weight: number;
}

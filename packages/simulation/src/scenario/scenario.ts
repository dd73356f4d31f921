import type { FaultRule } from '@binnacle/apiserver/faults';
import type { TypedObject } from '@binnacle/client/typed';
import type { ClusterFaults } from '../cluster/index.js';

/** What happens in a simulation. Durations and times since the start are Go's: `90s`, `1h30m`. */
export interface Scenario {
  /** How long the run is. */
  readonly runFor: string;
  /** The number of nodes, unless the caller of the simulation chooses it. Default: 3. */
  readonly nodes?: number;
  /** When the run starts, RFC 3339. Default: 2027-01-04T00:00:00Z, a Monday. */
  readonly start?: string;
  /** The control loops, as for `--controllers`. Default: `*`. */
  readonly controllers?: string;
  /**
   * Leave out the renewals of leases and the repeated statuses of healthy nodes, which are most of the requests of a
   * large idle cluster. A node that is cut off is still found after the grace period. Default: false.
   */
  readonly elideHeartbeats?: boolean;
  /** Whether every workload must have its pods ready at the end. Default: false. */
  readonly settles?: boolean;
  /** The faults from the start. */
  readonly faults?: ClusterFaults;
  /** In any order. */
  readonly actions?: readonly Action[];
}

/** One action. It has exactly one property besides `at`, `every` and `until`. */
export interface Action extends Partial<ActionParameters> {
  /** Since the start. */
  readonly at: string;
  /** Repeats the action with this period. Default: it happens once. */
  readonly every?: string;
  /** The end of the repetitions, since the start. Default: the end of the run. */
  readonly until?: string;
}

/** The actions by name, each with its parameters. */
export interface ActionParameters {
  /** Server-side apply of objects, in their order. */
  readonly apply: readonly TypedObject[];
  /** Deletes an object, as kubectl does. */
  readonly delete: ObjectName;
  /** Sets the number of replicas. */
  readonly scale: ObjectName & { readonly replicas: number };
  /** Restarts the pods of a workload, as `kubectl rollout restart`. */
  readonly rollout: ObjectName;
  /** Cordons nodes and evicts their pods, those of DaemonSets excepted, until they are gone. Refused evictions are tried again. */
  readonly drain: NodeChoice;
  /** Makes nodes schedulable again. */
  readonly uncordon: NodeChoice;
  /** Deletes Node objects. A simulated kubelet does not register again. */
  readonly deleteNodes: NodeChoice;
  /** Takes the connection of nodes away: no heartbeats, no statuses of pods. */
  readonly cutOff: NodeChoice & { readonly for: string };
  /** Evicts pods at once, without a second try. */
  readonly evict: {
    readonly namespace: string;
    readonly selector?: string;
    /** Default: all. */
    readonly atMost?: number;
  };
  /** Ends a component, which starts again with empty caches: `controllers`, `scheduler`, `nodes`, or a controller of the user. */
  readonly kill: {
    readonly component: string;
    /** Default: `1s`. */
    readonly for?: string;
  };
  /** Replaces the faults. */
  readonly faults: ClusterFaults;
  /** Adds a rule of fault injection to the server, for a time. See docs/testing.md. */
  readonly inject: FaultRule & {
    /** Default: to the end of the run. */
    readonly for?: string;
  };
}

export interface ObjectName {
  /** As in `kubectl get`: `deployment`, `deploy`, `deployments.apps`. */
  readonly resource: string;
  readonly name: string;
  /** Default: `default`; ignored for resources without namespaces. */
  readonly namespace?: string;
}

/** Nodes by their names, or any that the seed draws. */
export interface NodeChoice {
  readonly nodes?: readonly string[];
  /** This many nodes of the cluster, drawn by the seed. */
  readonly any?: number;
}

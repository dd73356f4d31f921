import type { LabelSelector } from '@binnacle/apimachinery/labels';
import { ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { type PodTemplateSpec, ReplicationController } from '@binnacle/client/kinds/core/v1';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';
import { type AnyCondition, selectorOf, selectorOfMap } from '../common/index.js';

/** The fields of ReplicaSets and ReplicationControllers that they have in common. */
export interface Replicas extends TypedObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly template?: PodTemplateSpec;
  };
  readonly status?: ReplicasStatus;
}

export interface ReplicasStatus {
  readonly replicas: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly observedGeneration?: number;
  readonly conditions?: readonly AnyCondition[];
}

/** Where the two kinds differ. */
export interface ReplicasKind<S extends Replicas> {
  readonly resource: ResourceType<S>;
  /** The source of events. */
  readonly component: string;
  readonly selectorOf: (set: S) => LabelSelector;
  readonly reportsTerminatingReplicas: boolean;
}

export const replicaSets: ReplicasKind<ReplicaSet> = {
  resource: ReplicaSet,
  component: 'replicaset-controller',
  selectorOf: ({ spec }) => selectorOf(spec?.selector),
  reportsTerminatingReplicas: true,
};

export const replicationControllers: ReplicasKind<ReplicationController> = {
  resource: ReplicationController,
  component: 'replication-controller',
  selectorOf: ({ spec }) => selectorOfMap(spec?.selector),
  reportsTerminatingReplicas: false,
};

export function wantedReplicas({ spec }: Replicas): number {
  return spec?.replicas ?? 1;
}

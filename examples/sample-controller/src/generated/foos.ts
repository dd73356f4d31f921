// Made by `binnacle types` from CustomResourceDefinitions. Regenerate it instead of editing it.
import type { ObjectList, ObjectMeta, ResourceType } from '@binnacle/client/typed';

/** A Deployment of nginx, of the size and by the name that you like. */
export interface FooV1alpha1 {
  readonly apiVersion: 'samplecontroller.k8s.io/v1alpha1';
  readonly kind: 'Foo';
  readonly metadata: ObjectMeta;
  readonly spec: FooV1alpha1Spec;
  readonly status?: FooV1alpha1Status;
}

export interface FooV1alpha1Spec {
  /** What the Deployment is called. It is made, and must not be there already. */
  readonly deploymentName: string;
  /** How many pods there are to be. */
  readonly replicas?: number;
}

export interface FooV1alpha1Status {
  /** How many of them work. */
  readonly availableReplicas?: number;
}

export interface FooV1alpha1List extends ObjectList<FooV1alpha1> {
  readonly apiVersion: 'samplecontroller.k8s.io/v1alpha1';
  readonly kind: 'FooList';
}

/** foos of samplecontroller.k8s.io/v1alpha1. */
export const FooV1alpha1: ResourceType<FooV1alpha1> = {
  group: 'samplecontroller.k8s.io',
  version: 'v1alpha1',
  kind: 'Foo',
  plural: 'foos',
  namespaced: true,
};

// Made by `binnacle types` from CustomResourceDefinitions. Regenerate it instead of editing it.
import type { ObjectList, ObjectMeta, ResourceType } from '@binnacle/client/typed';

/** A key to a Bucket, in a Secret of the same name. */
export interface BucketAccessV1 {
  readonly apiVersion: 'storage.example.com/v1';
  readonly kind: 'BucketAccess';
  readonly metadata: ObjectMeta;
  readonly spec: BucketAccessV1Spec;
  readonly status?: BucketAccessV1Status;
}

export interface BucketAccessV1Spec {
  /** The name of a Bucket in the same namespace. */
  readonly bucket: string;
}

export interface BucketAccessV1Status {
  readonly conditions?: readonly BucketAccessV1StatusConditions[];
}

export interface BucketAccessV1StatusConditions {
  readonly lastTransitionTime: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly reason: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly type: string;
}

export interface BucketAccessV1List extends ObjectList<BucketAccessV1> {
  readonly apiVersion: 'storage.example.com/v1';
  readonly kind: 'BucketAccessList';
}

/** bucketaccesses of storage.example.com/v1. */
export const BucketAccessV1: ResourceType<BucketAccessV1> = {
  group: 'storage.example.com',
  version: 'v1',
  kind: 'BucketAccess',
  plural: 'bucketaccesses',
  namespaced: true,
};

/** A place for files. */
export interface BucketV1 {
  readonly apiVersion: 'storage.example.com/v1';
  readonly kind: 'Bucket';
  readonly metadata: ObjectMeta;
  readonly spec: BucketV1Spec;
  readonly status?: BucketV1Status;
}

export interface BucketV1Spec {
  /** Whether the files stay when the Bucket is deleted. */
  readonly retain?: boolean;
}

export interface BucketV1Status {
  readonly conditions?: readonly BucketV1StatusConditions[];
}

export interface BucketV1StatusConditions {
  readonly lastTransitionTime: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly reason: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly type: string;
}

export interface BucketV1List extends ObjectList<BucketV1> {
  readonly apiVersion: 'storage.example.com/v1';
  readonly kind: 'BucketList';
}

/** buckets of storage.example.com/v1. */
export const BucketV1: ResourceType<BucketV1> = {
  group: 'storage.example.com',
  version: 'v1',
  kind: 'Bucket',
  plural: 'buckets',
  namespaced: true,
};

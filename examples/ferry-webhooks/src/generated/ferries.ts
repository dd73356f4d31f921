// Made by `binnacle types` from CustomResourceDefinitions. Regenerate it instead of editing it.
import type { ObjectList, ObjectMeta, ResourceType } from '@binnacle/client/typed';

/** Ferry of example.com/v1. */
export interface FerryV1 {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'Ferry';
  readonly metadata: ObjectMeta;
  readonly spec: FerryV1Spec;
}

export interface FerryV1Spec {
  readonly cars: number;
  readonly inService?: boolean;
  readonly passengers?: number;
}

export interface FerryV1List extends ObjectList<FerryV1> {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'FerryList';
}

/** ferries of example.com/v1. */
export const FerryV1: ResourceType<FerryV1> = {
  group: 'example.com',
  version: 'v1',
  kind: 'Ferry',
  plural: 'ferries',
  namespaced: true,
};

/** Ferry of example.com/v2. */
export interface FerryV2 {
  readonly apiVersion: 'example.com/v2';
  readonly kind: 'Ferry';
  readonly metadata: ObjectMeta;
  readonly spec: FerryV2Spec;
}

export interface FerryV2Spec {
  readonly capacity: FerryV2SpecCapacity;
  readonly inService?: boolean;
}

export interface FerryV2SpecCapacity {
  readonly cars: number;
  readonly passengers?: number;
}

export interface FerryV2List extends ObjectList<FerryV2> {
  readonly apiVersion: 'example.com/v2';
  readonly kind: 'FerryList';
}

/** ferries of example.com/v2. */
export const FerryV2: ResourceType<FerryV2> = {
  group: 'example.com',
  version: 'v2',
  kind: 'Ferry',
  plural: 'ferries',
  namespaced: true,
};

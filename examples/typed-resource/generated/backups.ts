// Made by `binnacle types` from CustomResourceDefinitions. Regenerate it instead of editing it.
import type { ObjectList, ObjectMeta, ResourceType } from '@binnacle/client/typed';

/** What is copied away, and how often. */
export interface BackupV1 {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'Backup';
  readonly metadata: ObjectMeta;
  readonly spec: BackupV1Spec;
  readonly status?: BackupV1Status;
}

export interface BackupV1Spec {
  /** How many are kept, a number or a share of all. */
  readonly keep?: number | string;
  /** An incremental backup holds what has changed since the one before. */
  readonly mode?: 'Full' | 'Incremental';
  /** As in cron, in UTC. */
  readonly schedule: string;
  readonly target: BackupV1SpecTarget;
}

export interface BackupV1Status {
  readonly conditions?: readonly BackupV1StatusConditions[];
  readonly lastBackup?: string;
}

export interface BackupV1SpecTarget {
  readonly bucket: string;
  /** Passed on to the driver as they are. */
  readonly options?: { readonly [key: string]: string };
}

export interface BackupV1StatusConditions {
  readonly message?: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly type: string;
}

export interface BackupV1List extends ObjectList<BackupV1> {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'BackupList';
}

/** backups of example.com/v1. */
export const BackupV1: ResourceType<BackupV1> = {
  group: 'example.com',
  version: 'v1',
  kind: 'Backup',
  plural: 'backups',
  namespaced: true,
};

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { definitionsIn, generateTypes, parseDocuments } from './index.js';

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: backups.example.com}
spec:
  group: example.com
  names: {kind: Backup, plural: backups}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        description: |
          What is copied, and when.
          Second line.
        required: [spec]
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata: {type: object}
          spec:
            type: object
            required: [schedule, mode]
            properties:
              schedule: {type: string, description: As in cron.}
              mode: {type: string, enum: [full, incremental]}
              keep: {type: integer, nullable: true}
              maxUnavailable: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
              labels: {type: object, additionalProperties: {type: string}}
              settings: {type: object, x-kubernetes-preserve-unknown-fields: true}
              anything: {x-kubernetes-preserve-unknown-fields: true}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              empty: {type: object}
              ports: {type: array, items: {x-kubernetes-int-or-string: true}}
              grid: {type: array, items: {type: array, items: {type: number}}}
              from: &claim
                type: object
                properties: {claim-name: {type: string}, readOnly: {type: boolean}}
              to: *claim
          status:
            type: object
            x-kubernetes-preserve-unknown-fields: true
            properties:
              old: {type: string, description: "Deprecated: use phase."}
  - name: v1beta1
    served: true
    storage: false
    deprecated: true
    deprecationWarning: use v1
    schema: {openAPIV3Schema: {type: object}}
  - name: v1alpha1
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object}}
---
apiVersion: v1
kind: ConfigMap
`;

const types = `// Made by \`binnacle types\` from CustomResourceDefinitions. Regenerate it instead of editing it.
import type { ObjectList, ObjectMeta, ResourceType } from '@binnacle/client/typed';

/**
 * What is copied, and when.
 * Second line.
 */
export interface BackupV1 {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'Backup';
  readonly metadata: ObjectMeta;
  readonly spec: BackupV1Spec;
  readonly status?: BackupV1Status;
}

export interface BackupV1Spec {
  readonly anything?: unknown;
  readonly empty?: { readonly [key: string]: never };
  readonly from?: BackupV1SpecFrom;
  readonly grid?: readonly (readonly number[])[];
  readonly keep?: number | null;
  readonly labels?: { readonly [key: string]: string };
  readonly maxUnavailable?: number | string;
  readonly mode: 'full' | 'incremental';
  readonly ports?: readonly (number | string)[];
  /** As in cron. */
  readonly schedule: string;
  readonly settings?: { readonly [key: string]: unknown };
  readonly template?: BackupV1SpecTemplate;
  readonly to?: BackupV1SpecFrom;
}

export interface BackupV1Status {
  /** @deprecated use phase. */
  readonly old?: string;
  readonly [field: string]: unknown;
}

export interface BackupV1SpecFrom {
  readonly 'claim-name'?: string;
  readonly readOnly?: boolean;
}

export interface BackupV1SpecTemplate {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: ObjectMeta;
  readonly [field: string]: unknown;
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

/**
 * Backup of example.com/v1beta1.
 *
 * @deprecated use v1
 */
export interface BackupV1beta1 {
  readonly apiVersion: 'example.com/v1beta1';
  readonly kind: 'Backup';
  readonly metadata: ObjectMeta;
}

export interface BackupV1beta1List extends ObjectList<BackupV1beta1> {
  readonly apiVersion: 'example.com/v1beta1';
  readonly kind: 'BackupList';
}

/** backups of example.com/v1beta1. */
export const BackupV1beta1: ResourceType<BackupV1beta1> = {
  group: 'example.com',
  version: 'v1beta1',
  kind: 'Backup',
  plural: 'backups',
  namespaced: true,
};
`;

describe('types of a definition', () => {
  it('match the schema', () => {
    assert.equal(generateTypes(definitionsIn(parseDocuments('crd.yaml', definition))), types);
  });
});

import { test } from 'node:test';
import type { StorageVersionMigration } from '../generated/types/storagemigration-v1beta1.js';
import {
  validateStorageVersionMigration,
  validateStorageVersionMigrationStatusUpdate,
  validateStorageVersionMigrationUpdate,
} from './index.js';
import { checkRule, checkUpdate } from './rules.testing.js';

const condition = (type: string, status = 'True') => ({
  type,
  status,
  lastTransitionTime: '2027-01-04T00:00:00Z',
  reason: 'Test',
  message: '',
});

const migration: StorageVersionMigration = {
  metadata: { name: 'x', uid: 'u', resourceVersion: '1' },
  spec: { resource: { group: 'apps', resource: 'deployments' } },
  status: { resourceVersion: '7', conditions: [condition('Running'), condition('Succeeded')] },
};

test('migrations of stored versions', () => {
  checkRule(validateStorageVersionMigration, migration, [
    [
      (object) => (object.spec = { resource: { group: '', resource: '' } }),
      ['spec.resource.resource: Required value: resource is required to be set'],
    ],
    [
      (object) => (object.spec = { resource: { group: 'a b', resource: 'A' } }),
      [
        "spec.resource.resource: Invalid value: \"A\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        "spec.resource.group: Invalid value: \"a b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
  ]);
  checkUpdate(validateStorageVersionMigrationUpdate, migration, [
    [
      (object) => (object.spec = { resource: { group: 'apps', resource: 'daemonsets' } }),
      ['spec: Invalid value: {"Resource":{"group":"apps","resource":"daemonsets"}}: field is immutable'],
    ],
  ]);
});

test('the status of migrations', () => {
  checkUpdate(validateStorageVersionMigrationStatusUpdate, migration, [
    [
      (object) => (object.status = { ...object.status, resourceVersion: '07' }),
      [
        'status.resourceVersion: Invalid value: "07": resource version is not well formed: 07',
        'status.resourceVersion: Invalid value: "07": field is immutable',
      ],
    ],
    [
      (object) => (object.status = { resourceVersion: '7', conditions: [] }),
      ['status.conditions: Invalid value: []: Success condition cannot be set to false once it is true'],
    ],
    [
      (object) => object.status?.conditions?.push(condition('Failed')),
      [
        'status.conditions: Invalid value: [{"type":"Running","status":"True","lastTransitionTime":"2027-01-04T00:00:00Z","reason":"Test","message":""},{"type":"Succeeded","status":"True","lastTransitionTime":"2027-01-04T00:00:00Z","reason":"Test","message":""},{"type":"Failed","status":"True","lastTransitionTime":"2027-01-04T00:00:00Z","reason":"Test","message":""}]: Both success and failed conditions cannot be true at the same time',
      ],
    ],
  ]);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registeredService } from './registered-service.js';

const service = (group: string) =>
  registeredService({
    metadata: { name: `v1.${group}`, uid: 'u' },
    spec: { group, version: 'v1', groupPriorityMinimum: 5, versionPriority: 7, service: { namespace: 'n', name: 's' } },
    status: { conditions: [{ type: 'Available', status: 'True' }] },
  });

describe('registeredService', () => {
  it('reads where the backend is', () => {
    const backend = { namespace: 'n', name: 's', port: 443, caBundle: '', insecure: false };
    assert.deepEqual(service('g').backend, backend);
  });

  it('gives the group of the APIServices to no backend', () => {
    assert.equal(service('apiregistration.k8s.io').backend, undefined);
  });
});

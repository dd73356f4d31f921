import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pathOf, registeredService, serviceNameOfPath } from './registered-service.js';

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

describe('pathOf', () => {
  it('is under the root of the group', () => {
    assert.equal(pathOf(service('g')), '/apis/g/v1');
    assert.equal(pathOf(service('')), '/api/v1');
  });
});

describe('the APIService of a path', () => {
  const cases: readonly (readonly [path: string, name: string | undefined])[] = [
    ['/apis/g.example.com/v1', 'v1.g.example.com'],
    ['/apis/g/v1/namespaces/n/foos', 'v1.g'],
    ['/apis/g/v1/', 'v1.g'],
    ['/apis/example.com/v1.g/foos', undefined],
    ['/apis/g', undefined],
    ['/apis/g/', undefined],
    ['/apis', undefined],
    ['/api', 'v1.'],
    ['/api/v1/pods', 'v1.'],
    ['/api/v2', 'v1.'],
    ['/healthz', undefined],
    ['/openapi/v2/x', undefined],
    ['/', undefined],
  ];
  for (const [path, name] of cases) {
    it(`is ${name ?? 'none'} for ${path}`, () => assert.equal(serviceNameOfPath(path), name));
  }
});

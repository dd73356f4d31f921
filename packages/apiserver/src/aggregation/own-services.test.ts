import assert from 'node:assert/strict';
import { it } from 'node:test';
import { builtInServiceObjects, builtInServices } from './own-services.js';

const group = (name: string, ...versions: string[]) => ({
  group: name,
  versions: versions.map((version) => ({ version })),
});

for (const [what, groups, expected] of [
  ['a group and version with a priority', [group('batch', 'v1')], ['batch/v1']],
  ['no version without a priority', [group('batch', 'v1', 'v9')], ['batch/v1']],
  ['no group of users, even with the name of a property', [group('example.com', 'v1'), group('constructor', 'v1')], []],
  ['not the group of APIServices', [group('apiregistration.k8s.io', 'v1')], []],
] as const) {
  it(`a server registers ${what}`, () => {
    assert.deepEqual(
      builtInServices(groups).map((each) => `${each.group}/${each.version}`),
      expected,
    );
  });
}

it('the APIService of the core group has no group', () => {
  assert.deepEqual(builtInServiceObjects([group('', 'v1')]), [
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.', labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
      spec: { version: 'v1', groupPriorityMinimum: 18000, versionPriority: 1 },
    },
  ]);
});

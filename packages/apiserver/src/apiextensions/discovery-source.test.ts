import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { discoveredGroups } from './discovery-source.js';
import { served, version, yes } from './served-definition.testing.js';

describe('discovery of custom resources', () => {
  it('has groups by name, versions by preference, and resources in the order of their definitions', () => {
    const groups = discoveredGroups([
      served('b.example.com', 'zebras', {}, [version('v1beta1'), version('v1'), version('v2', { served: false })]),
      served('b.example.com', 'apes'),
      served('a.example.com', 'foos'),
    ]);
    assert.deepEqual(
      groups.map(({ group, versions }) => [
        group,
        versions.map(({ version: name, resources }) => [name, resources.map(({ resource }) => resource)]),
      ]),
      [
        ['a.example.com', [['v1', ['foos']]]],
        [
          'b.example.com',
          [
            ['v1', ['zebras', 'apes']],
            ['v1beta1', ['zebras']],
          ],
        ],
      ],
    );
  });

  it('leaves out definitions that are not established', () => {
    assert.deepEqual(
      discoveredGroups([served('example.com', 'foos', { status: { conditions: [yes('NamesAccepted')] } })]),
      [],
    );
  });

  it('offers no writes of a resource that is being deleted', () => {
    const metadata = { name: 'foos.example.com', deletionTimestamp: '2026-01-01T00:00:00Z' };
    for (const changes of [
      { metadata },
      {
        status: {
          acceptedNames: { plural: 'foos', kind: 'Foo' },
          conditions: [yes('Established'), yes('Terminating')],
        },
      },
    ]) {
      const [group] = discoveredGroups([served('example.com', 'foos', changes)]);
      const verbs = group?.versions[0]?.resources[0]?.verbs;
      assert.deepEqual(verbs, ['delete', 'deletecollection', 'get', 'list', 'watch']);
    }
  });

  it('has the subresources of each version', () => {
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    const versions = [version('v2', { subresources: { status: {}, scale } }), version('v1')];
    const [group] = discoveredGroups([served('example.com', 'foos', {}, versions)]);
    const subresources = (group?.versions ?? []).map(({ resources }) =>
      (resources[0]?.subresources ?? []).map((each) => [each.name, each.kind]),
    );
    assert.deepEqual(subresources, [
      [
        ['status', 'FOOS'],
        ['scale', 'Scale'],
      ],
      [],
    ]);
  });

  it('has the hash of the version that is stored', () => {
    const hashOf = (storage: string) => {
      const versions = ['v1', 'v2'].map((name) => version(name, { storage: name === storage }));
      return discoveredGroups([served('example.com', 'foos', {}, versions)])[0]?.versions[0]?.resources[0]
        ?.storageVersionHash;
    };
    assert.notEqual(hashOf('v1'), hashOf('v2'));
    assert.match(hashOf('v1') ?? '', /^[A-Za-z0-9+/]{11}=$/);
  });
});

describe('a served definition', () => {
  it('has another identity when its generation, its names or its object change', () => {
    const names = { plural: 'foos', kind: 'Foo' };
    const identities = [
      served('example.com', 'foos'),
      served('example.com', 'foos', { metadata: { uid: 'u', generation: 2 } }),
      served('example.com', 'foos', { metadata: { uid: 'v' } }),
      served('example.com', 'foos', { status: { acceptedNames: { ...names, shortNames: ['f'] } } }),
    ].map(({ identity }) => identity);
    assert.equal(new Set(identities).size, 4);
    assert.equal(served('example.com', 'foos').identity, identities[0]);
  });

  it('is cleaned up when it is deleted and waits for that', () => {
    const finalizers = ['customresourcecleanup.apiextensions.k8s.io'];
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    for (const [metadata, cleanup] of [
      [{ finalizers, deletionTimestamp }, true],
      [{ finalizers: ['a/b'], deletionTimestamp }, false],
      [{ finalizers }, false],
    ] as const) {
      assert.equal(
        served('example.com', 'foos', { metadata: { ...metadata, finalizers: [...metadata.finalizers] } }).cleanup,
        cleanup,
      );
    }
  });
});

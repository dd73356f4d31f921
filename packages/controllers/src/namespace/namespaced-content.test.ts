import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiResource, ApiSurface } from '@binnacle/client/discovery';
import { namespacedContent } from './namespaced-content.js';

const resource = (group: string, version: string, name: string, facts: Partial<ApiResource> = {}): ApiResource => ({
  resource: { group, version, resource: name },
  kind: { group, version, kind: name },
  namespaced: true,
  verbs: ['delete', 'deletecollection', 'get', 'list'],
  singularName: name,
  shortNames: [],
  categories: [],
  subresources: [],
  ...facts,
});

const core = {
  name: '',
  versions: [
    {
      version: 'v1',
      resources: [
        resource('', 'v1', 'pods'),
        resource('', 'v1', 'nodes', { namespaced: false }),
        resource('', 'v1', 'bindings', { verbs: ['create'] }),
      ],
    },
  ],
};

const boats = {
  name: 'example.com',
  versions: [
    { version: 'v2', resources: [resource('example.com', 'v2', 'boats')] },
    { version: 'v1', resources: [resource('example.com', 'v1', 'boats'), resource('example.com', 'v1', 'oars')] },
  ],
};

const names = (surface: ApiSurface) =>
  namespacedContent(surface).resources.map(({ resource: { version, resource: name } }) => `${name} ${version}`);

describe('namespaced content', () => {
  it('has each deletable resource once, in the preferred version of its group', () => {
    const surface = { groups: [core, boats], failures: [] };
    assert.deepEqual(names(surface), ['pods v1', 'boats v2', 'oars v1']);
    assert.equal(namespacedContent(surface).failure, undefined);
  });

  it('has the known resources and a failure when discovery is incomplete', () => {
    const failures = [
      { group: 'metrics.example.com', version: 'v1', error: new Error('not today') },
      { group: 'example.com', version: 'v2', error: new Error('stale') },
    ];
    const surface = { groups: [core, boats], failures };
    assert.deepEqual(names(surface), ['pods v1', 'boats v1', 'oars v1']);
    assert.equal(
      namespacedContent(surface).failure?.message,
      'Discovery failed for some groups, 2 failing: unable to retrieve the complete list of server APIs: example.com/v2: stale, metrics.example.com/v1: not today',
    );
  });

  it('has a failure when discovery is empty', () => {
    assert.match(namespacedContent({ groups: [], failures: [] }).failure?.message ?? '', /no API groups/);
  });
});

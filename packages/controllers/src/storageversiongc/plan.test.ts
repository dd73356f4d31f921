import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StorageVersion } from '@binnacle/client/kinds/apiserverinternal/v1alpha1';
import { planStorageVersion } from './plan.js';

const NOW = Date.UTC(2027, 0, 4);

/** `server=version` for each entry. */
function record(entries: string, common?: string): StorageVersion {
  const storageVersions = entries.split(' ').map((entry) => {
    const [apiServerID = '', encodingVersion = ''] = entry.split('=');
    return { apiServerID, encodingVersion, decodableVersions: [encodingVersion] };
  });
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const conditions = [
    {
      type: 'AllEncodingVersionsEqual',
      status: common === undefined ? 'False' : 'True',
      reason: 'x',
      message: 'y',
      lastTransitionTime,
    },
  ];
  return {
    apiVersion: 'internal.apiserver.k8s.io/v1alpha1',
    kind: 'StorageVersion',
    metadata: { name: 'apps.deployments' },
    status: { storageVersions, conditions, ...(common === undefined ? {} : { commonEncodingVersion: common }) },
  };
}

describe('the plan for the record of a stored version', () => {
  for (const [what, given, gone, expected] of [
    ['all servers are there', record('a=v1 b=v1', 'v1'), [], 'keep'],
    ['all are gone', record('a=v1 b=v1', 'v1'), ['a', 'b'], 'delete'],
    ['there is none', record('a=v1'), ['a'], 'delete'],
    ['one is gone', record('a=v1 b=v1', 'v1'), ['a'], 'b v1 True since 2026'],
    ['one is gone, and the others agree now', record('a=v1 b=v2'), ['a'], 'b v2 True since 2027'],
    ['one is gone, and the others do not agree', record('a=v1 b=v2 c=v3'), ['a'], 'b c none False since 2026'],
  ] as const) {
    it(what, () => {
      const plan = planStorageVersion(given, (server) => gone.some((each) => each === server), NOW);
      if (typeof plan === 'string') return assert.equal(plan, expected);
      const { storageVersions = [], commonEncodingVersion = 'none', conditions = [] } = plan;
      const servers = storageVersions.map(({ apiServerID }) => apiServerID).join(' ');
      const [condition] = conditions;
      const since = condition?.lastTransitionTime?.slice(0, 4);
      assert.equal(`${servers} ${commonEncodingVersion} ${condition?.status} since ${since}`, expected);
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StorageVersionMigration } from '@binnacle/client/kinds/storagemigration/v1beta1';
import { nextStep } from './plan.js';

/** `name seconds conditions checkpoint`: conditions are initials, lower case for False. */
function migration(text: string): StorageVersionMigration {
  const [name = '', seconds = '', initials = '-', resourceVersion] = text.split(' ');
  const types: Readonly<Record<string, string>> = { R: 'Running', S: 'Succeeded', F: 'Failed' };
  const conditions = initials
    .replace('-', '')
    .split('')
    .map((initial) => ({
      type: types[initial.toUpperCase()] ?? '',
      status: initial === initial.toUpperCase() ? 'True' : 'False',
      reason: 'Test',
      message: '',
      lastTransitionTime: '2027-01-04T00:00:00Z',
    }));
  return {
    apiVersion: 'storagemigration.k8s.io/v1beta1',
    kind: 'StorageVersionMigration',
    metadata: { name, creationTimestamp: `2027-01-04T00:00:0${seconds}Z` },
    spec: { resource: { group: '', resource: 'secrets' } },
    status: { conditions, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
  };
}

describe('the next step of the migrations of a resource', () => {
  for (const [what, given, expected] of [
    ['nothing', [], undefined],
    ['a new one', ['a 0'], 'start a'],
    ['two new ones, the oldest first', ['a 1', 'b 0'], 'start b'],
    ['two of one second, by name', ['b 0', 'a 0'], 'start a'],
    ['one that runs', ['a 0 R'], 'checkpoint a'],
    ['one that runs, and an older one that waits', ['b 0', 'a 1 R'], 'checkpoint a'],
    ['one with a checkpoint', ['a 0 R 7'], 'migrate a'],
    ['one with a checkpoint that does not run', ['a 0 - 7'], 'start a'],
    ['one that has succeeded', ['a 0 RS 7', 'b 1'], 'finish a'],
    ['one that has failed', ['a 0 RF'], 'finish a'],
    ['finished ones, and one that waits', ['a 0 rS 7', 'b 1 rF', 'c 2'], 'start c'],
    ['finished ones', ['a 0 rS 7', 'b 1 rF', 'c 2 S'], undefined],
  ] as const) {
    it(what, () => {
      const next = nextStep(given.map(migration));
      assert.equal(next && `${next.step} ${next.migration.metadata.name}`, expected);
    });
  }
});

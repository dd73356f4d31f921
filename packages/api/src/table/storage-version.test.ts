import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatGroupVersion } from '@binnacle/apimachinery/meta';
import { groups, resources } from './resources.js';
import { kubernetesVersion } from './rows.js';

describe('the version that a kind is stored in', () => {
  /** A server of the release before must be able to read what this one has written. */
  const isNew = (introduced: string | undefined): boolean => introduced === kubernetesVersion();

  it('is the one its group prefers, of those that the release before had', () => {
    let several = 0;
    for (const { group, versions } of groups()) {
      const inOrder = versions.flatMap(({ version }) =>
        resources().filter((facts) => facts.group === group && facts.version === version),
      );
      for (const kind of new Set(inOrder.map((facts) => facts.kind))) {
        const stored = inOrder.filter((facts) => facts.kind === kind && facts.storageVersion !== undefined);
        if (stored.length < 2) continue;
        several++;
        const [first] = stored.filter(({ introduced }) => !isNew(introduced));
        assert.ok(first, kind);
        for (const facts of stored) assert.equal(facts.storageVersion, formatGroupVersion(first), kind);
      }
    }
    assert.ok(several >= 8, String(several));
  });

  it('is decided by the order of versions, which discovery shows too', () => {
    for (const { preferredVersion, versions } of groups()) assert.equal(preferredVersion, versions[0]?.version);
  });
});

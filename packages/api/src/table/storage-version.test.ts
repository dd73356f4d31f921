import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatGroupVersion } from '@binnacle/apimachinery/meta';
import { groups, resources } from './resources.js';
import { kubernetesVersion } from './rows.js';

describe('the storage version of a kind', () => {
  /** A server of the previous release must be able to read everything that this one writes. */
  const isNew = (introduced: string | undefined): boolean => introduced === kubernetesVersion();

  it("is the group's preferred version among those of the previous release", () => {
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

  it('follows the order of versions that discovery shows', () => {
    for (const { preferredVersion, versions } of groups()) assert.equal(preferredVersion, versions[0]?.version);
  });
});

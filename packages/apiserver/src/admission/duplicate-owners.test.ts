import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectMeta, OwnerReference } from '@binnacle/apimachinery/meta';
import { dropDuplicateOwners } from './index.js';

const owner: OwnerReference = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', controller: true };

function dropped(ownerReferences: OwnerReference[], when: 'before admission' | 'after admission') {
  const metadata: ObjectMeta = { name: 'x', ownerReferences };
  const warnings: string[] = [];
  dropDuplicateOwners(metadata, (text) => warnings.push(text), when);
  return { kept: metadata.ownerReferences, warnings };
}

test('drops a repeated owner reference, with a warning', () => {
  const second = { ...owner, uid: 'v', controller: false };
  assert.deepEqual(dropped([owner, second, { ...owner }, { ...second }], 'before admission'), {
    kept: [owner, second],
    warnings: [
      '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u, v',
    ],
  });
  assert.deepEqual(dropped([owner, owner], 'after admission').warnings, [
    '.metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u',
  ]);
});

test('keeps owner references with the same uid that differ otherwise', () => {
  const differing = [owner, { ...owner, controller: false }, { ...owner, name: 'q' }, { ...owner, kind: 'Node' }];
  assert.deepEqual(dropped(differing, 'before admission'), { kept: differing, warnings: [] });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sourceOf, variableReferences } from './sources.js';

it('variables refer to whole objects first, then to keys', () => {
  const found = variableReferences({
    name: 'c',
    env: [
      { name: 'A', value: 'a' },
      { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } },
      { name: 'C', valueFrom: { configMapKeyRef: { name: 'm', key: 'k' } } },
    ],
    envFrom: [{ secretRef: { name: 's' } }, { configMapRef: { name: 'm', optional: true } }, { configMapRef: {} }],
  });
  assert.deepEqual(found, [
    { kind: 'Secret', name: 's', key: undefined, isOptional: false },
    { kind: 'ConfigMap', name: 'm', key: undefined, isOptional: true },
    { kind: 'Secret', name: 's', key: 'k', isOptional: true },
    { kind: 'ConfigMap', name: 'm', key: 'k', isOptional: false },
  ]);
  assert.deepEqual(variableReferences({ name: 'c' }), []);
});

it('without a name there is no source', () => {
  assert.deepEqual([sourceOf('Secret', undefined), sourceOf('Secret', 's')], [[], [{ kind: 'Secret', name: 's' }]]);
});

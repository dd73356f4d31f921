import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TypedObject } from '../typed/index.js';
import { changeHandler } from './object-change.js';

it('of the same version, the very same object is told again, and another one is a change: a store was put back', () => {
  const told: string[] = [];
  const handler = changeHandler<TypedObject>((change) => told.push(change.type));
  const sail = { apiVersion: 'v1', kind: 'Sail', metadata: { name: 'main', resourceVersion: '7' } };
  handler.onUpdate?.(sail, sail);
  handler.onUpdate?.(sail, { ...sail, metadata: { ...sail.metadata, labels: { state: 'furled' } } });
  assert.deepEqual(told, ['resync', 'update']);
});

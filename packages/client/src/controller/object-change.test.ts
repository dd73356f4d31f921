import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TypedObject } from '../typed/index.js';
import { changeHandler } from './object-change.js';

it('reports the same object as a resync, and another object of the same version as an update', () => {
  const types: string[] = [];
  const handler = changeHandler<TypedObject>((change) => types.push(change.type));
  const sail = { apiVersion: 'v1', kind: 'Sail', metadata: { name: 'main', resourceVersion: '7' } };
  handler.onUpdate?.(sail, sail);
  handler.onUpdate?.(sail, { ...sail, metadata: { ...sail.metadata, labels: { state: 'furled' } } });
  assert.deepEqual(types, ['resync', 'update']);
});

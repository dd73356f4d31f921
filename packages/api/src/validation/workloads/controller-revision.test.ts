import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ControllerRevision } from '../../generated/types/apps-v1.js';
import { validateControllerRevision, validateControllerRevisionUpdate } from './controller-revision.js';
import { texts } from '../rules.testing.js';

const revision = (data: unknown, number = 1) =>
  ({ metadata: { name: 'r' }, revision: number, data }) as ControllerRevision;

test('the data of a new revision must be a JSON object', () => {
  for (const data of [[], [{ a: 1 }], 'x', '', 1, true]) {
    assert.deepEqual(texts(validateControllerRevision(revision(data))), [
      'data: Required value: data must be a valid JSON object',
    ]);
  }
  for (const data of [{}, { a: 1 }]) assert.deepEqual(texts(validateControllerRevision(revision(data))), []);
  assert.deepEqual(texts(validateControllerRevision(revision(null, -1))), [
    'revision: Invalid value: -1: must be greater than or equal to 0',
    'data: Required value: data is mandatory',
  ]);
});

test('the data of a stored revision is not validated again', () => {
  const stored = { ...revision([1]), metadata: { name: 'r', namespace: 'n' } };
  assert.deepEqual(validateControllerRevisionUpdate(stored, stored), []);
  const changed = validateControllerRevisionUpdate({ ...stored, data: { a: 1 } }, stored);
  assert.match(texts(changed).join(), /^data: Invalid value: .*field is immutable$/);
});

test('null and empty members of the data are part of it', () => {
  const stored = { ...revision({ a: null, b: [] }), metadata: { name: 'r', namespace: 'n' } };
  assert.deepEqual(validateControllerRevisionUpdate(structuredClone(stored), stored), []);
  for (const data of [{ b: [] }, { a: null }, { a: null, b: null }]) {
    const changed = texts(validateControllerRevisionUpdate({ ...stored, data }, stored));
    assert.match(changed.join(), /^data: Invalid value: .*field is immutable$/);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagedFieldsEntry, ObjectMeta } from '@binnacle/apimachinery/meta';
import { keepValidManagers } from './valid-managers.js';

const valid: ManagedFieldsEntry = {
  manager: 'me',
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': {} },
};

async function kept(before: ManagedFieldsEntry[] | undefined, after: ManagedFieldsEntry[] | undefined) {
  const metadata: ObjectMeta = { name: 'x', ...(after === undefined ? {} : { managedFields: after }) };
  const warnings: string[] = [];
  await keepValidManagers(metadata, before, (text) => warnings.push(text));
  return { managers: metadata.managedFields, warnings };
}

test('admission may change and remove managers', async () => {
  const other = [{ ...valid, manager: 'you' }];
  assert.deepEqual(await kept([valid], other), { managers: other, warnings: [] });
  assert.deepEqual(await kept([valid], undefined), { managers: undefined, warnings: [] });
});

test('invalid managers after admission are set back, with a warning', async () => {
  const { managers, warnings } = await kept([valid], [{ ...valid, apiVersion: '' }]);
  assert.deepEqual(managers, [valid]);
  assert.deepEqual(warnings, [
    '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: apiVersion must not be empty',
  ]);
  const wrongPath = [{ ...valid, fieldsV1: { 'k:{': {} } }];
  assert.deepEqual((await kept(undefined, wrongPath)).managers, undefined);
});

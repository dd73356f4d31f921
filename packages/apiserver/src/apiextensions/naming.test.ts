import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from '@binnacle/api/types/apiextensions-v1';
import { acceptNames, namesInUse } from './naming.js';

const names: CustomResourceDefinitionNames = {
  plural: 'crontabs',
  singular: 'crontab',
  kind: 'CronTab',
  listKind: 'CronTabList',
  shortNames: ['ct', 'cron'],
  categories: ['all'],
};

const definition = (wanted: CustomResourceDefinitionNames, accepted?: CustomResourceDefinitionNames) =>
  ({
    spec: { group: 'example.com', names: wanted, scope: 'Namespaced', versions: [] },
    ...(accepted === undefined ? {} : { status: { acceptedNames: accepted } }),
  }) satisfies CustomResourceDefinition;

const used = (resources: string[], kinds: string[] = []) => ({ resources: new Set(resources), kinds: new Set(kinds) });

describe('accepted names', () => {
  it('are all that no other definition of the group has', () => {
    const { acceptedNames, condition } = acceptNames(definition(names), used(['others'], ['Other']));
    assert.deepEqual(acceptedNames, names);
    assert.deepEqual(condition, {
      type: 'NamesAccepted',
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    });
  });

  const conflicts: [
    what: string,
    resources: string[],
    kinds: string[],
    reason: string,
    message: string,
    lost: object,
  ][] = [
    ['a plural', ['crontabs'], [], 'PluralConflict', '"crontabs" is already in use', { plural: '' }],
    ['a singular', ['crontab'], [], 'SingularConflict', '"crontab" is already in use', { singular: undefined }],
    ['a short name', ['ct'], [], 'ShortNamesConflict', '"ct" is already in use', { shortNames: undefined }],
    [
      'two short names',
      ['ct', 'cron'],
      [],
      'ShortNamesConflict',
      '["ct" is already in use, "cron" is already in use]',
      { shortNames: undefined },
    ],
    ['a kind', [], ['CronTab'], 'KindConflict', '"CronTab" is already in use', { kind: '' }],
    [
      'a list kind',
      [],
      ['CronTabList'],
      'ListKindConflict',
      '"CronTabList" is already in use',
      { listKind: undefined },
    ],
  ];
  for (const [what, resources, kinds, reason, message, lost] of conflicts) {
    it(`lack ${what} in use, and have the others`, () => {
      const { acceptedNames, condition } = acceptNames(definition(names), used(resources, kinds));
      const expected = Object.fromEntries(
        Object.entries({ ...names, ...lost }).filter(([, name]) => name !== undefined),
      );
      assert.deepEqual(acceptedNames, expected);
      assert.deepEqual(condition, { type: 'NamesAccepted', status: 'False', reason, message });
    });
  }

  it('report the last of several conflicts', () => {
    const { condition } = acceptNames(definition(names), used(['crontabs', 'ct'], ['CronTab']));
    assert.equal(condition.reason, 'KindConflict');
  });

  it('stay with the definition that has them, and change only to free ones', () => {
    const all = used(['crontabs', 'crontab', 'ct', 'cron'], ['CronTab', 'CronTabList']);
    assert.equal(acceptNames(definition(names, names), all).condition.status, 'True');
    const renamed = { ...names, singular: 'tab', shortNames: ['ct', 'tb'] };
    const { acceptedNames, condition } = acceptNames(definition(renamed, names), used(['tab', 'tb']));
    assert.deepEqual(acceptedNames, names);
    assert.equal(condition.message, '"tb" is already in use');
  });

  it('drop what the definition no longer has', () => {
    const { acceptedNames } = acceptNames(definition({ plural: 'crontabs', kind: 'CronTab' }, names), used([]));
    assert.deepEqual(acceptedNames, { plural: 'crontabs', kind: 'CronTab', singular: '', listKind: '' });
  });
});

describe('names in use', () => {
  it('are those of all definitions, without empty ones', () => {
    const { resources, kinds } = namesInUse([names, undefined, { plural: 'foos', singular: '', kind: 'Foo' }]);
    assert.deepEqual([...resources], ['crontabs', 'crontab', 'ct', 'cron', 'foos']);
    assert.deepEqual([...kinds], ['CronTab', 'CronTabList', 'Foo']);
  });
});

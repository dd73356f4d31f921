import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject, ManagedFieldsEntry } from '../meta/index.js';
import { FieldSet, managerOf, trackUpdate, type UpdateToTrack } from './index.js';
import { thingSchema } from './schema.testing.js';

function thing(fields: Partial<KubernetesObject> = {}): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: {}, ...fields };
}

function track(updated: KubernetesObject, live?: KubernetesObject, facts: Partial<UpdateToTrack> = {}) {
  return trackUpdate({
    live,
    updated,
    schema: thingSchema,
    apiVersion: 'v1',
    manager: 'm',
    subresource: '',
    now: '2026-01-02T00:00:00Z',
    ...facts,
  });
}

function entry(
  manager: string,
  fieldsV1: ManagedFieldsEntry['fieldsV1'],
  facts: ManagedFieldsEntry = {},
): ManagedFieldsEntry {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    ...(fieldsV1 === undefined ? {} : { fieldsV1 }),
    ...facts,
  };
}

const data = (...names: string[]) => ({
  'f:data': Object.fromEntries(names.map((name) => [name === '.' ? name : `f:${name}`, {}])),
});

function stored(managedFields: ManagedFieldsEntry[], fields: Partial<KubernetesObject> = { data: { a: '1' } }) {
  return thing({ metadata: { uid: 'u', managedFields }, ...fields });
}

describe('trackUpdate', () => {
  it('records the fields of a create, as upstream recorded them', () => {
    assert.equal(
      JSON.stringify(track(thing({ metadata: { name: 'x', uid: '' }, data: { x: '1', y: '2' } }))),
      '[{"manager":"m","operation":"Update","apiVersion":"v1","time":"2026-01-02T00:00:00Z","fieldsType":"FieldsV1",' +
        '"fieldsV1":{"f:data":{".":{},"f:x":{},"f:y":{}}}}]',
    );
  });

  it('tracks objects with the same fields alike', () => {
    const fields = { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } };
    for (const name of ['x', 'y', 'z']) {
      const tracked = track(thing({ metadata: { name, uid: name, labels: { a: name } } }));
      assert.deepEqual(tracked, [entry('m', fields, { time: '2026-01-02T00:00:00Z' })]);
    }
  });

  it('records nothing if no field is owned', () => {
    assert.equal(track(thing({ metadata: { name: 'x', namespace: 'y' } })), undefined);
  });

  it('does not track an object without managedFields', () => {
    assert.equal(track(thing({ data: { a: '2' } }), thing({ metadata: { uid: 'u' } })), undefined);
  });

  it('takes a changed field from its owner', () => {
    const live = stored([entry('old', data('.', 'a', 'b'))], { data: { a: '1', b: '1' } });
    assert.deepEqual(track(stored([], { data: { a: '2', b: '1' }, metadata: { uid: 'u' } }), live), [
      entry('old', data('.', 'b')),
      entry('m', data('a'), { time: '2026-01-02T00:00:00Z' }),
    ]);
  });

  it('keeps time and bytes if nothing changes', () => {
    const live = stored([entry('m', data('.', 'a'))]);
    assert.equal(track(stored([entry('m', data('.', 'a'))]), live), live.metadata.managedFields);
  });

  it("adds to the manager's earlier entry with a new time", () => {
    const live = stored([entry('m', data('.', 'a'))]);
    assert.deepEqual(track(thing({ data: { a: '1', b: '2' } }), live), [
      entry('m', data('.', 'a', 'b'), { time: '2026-01-02T00:00:00Z' }),
    ]);
  });

  it('shares the encoded fields of a manager that writes the same fields again, with a new time', () => {
    const tracked = () => track(thing({ data: { a: '2' } }), stored([entry('m', data('.', 'a'))]));
    assert.deepEqual(tracked(), [entry('m', data('.', 'a'), { time: '2026-01-02T00:00:00Z' })]);
    assert.equal(tracked()?.[0]?.fieldsV1, tracked()?.[0]?.fieldsV1);
  });

  it('keeps the encoded fields of a manager with many', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, '1']));
    const live = stored([entry('m', data('.', ...Object.keys(many).sort()))], { data: many });
    const tracked = track(thing({ data: { ...many, k1: '2' } }), live);
    assert.equal(tracked?.[0]?.fieldsV1, live.metadata.managedFields?.[0]?.fieldsV1);
  });

  it('keeps the time if a field is only removed, and drops an entry without fields', () => {
    const live = stored([entry('m', data('.', 'a')), entry('n', data('b'))], { data: { a: '1', b: '2' } });
    assert.deepEqual(track(thing({ data: { a: '1' } }), live), [entry('m', data('.', 'a'))]);
  });

  it('has one entry for each subresource, and ignores managedFields sent to a subresource', () => {
    const live = stored([entry('m', data('.', 'a'))]);
    const updated = thing({ metadata: { managedFields: [{}] }, data: { a: '1' }, status: { phase: 'Up' } });
    assert.deepEqual(track(updated, live, { subresource: 'status' }), [
      entry('m', data('.', 'a')),
      entry('m', { 'f:status': { 'f:phase': {} } }, { time: '2026-01-02T00:00:00Z', subresource: 'status' }),
    ]);
  });

  it('ignores fields that the endpoint resets', () => {
    const updated = thing({ data: { a: '1' }, status: { phase: 'Up' } });
    assert.deepEqual(track(updated, undefined, { resetFields: FieldSet.of(['f:status']) }), [
      entry('m', data('.', 'a'), { time: '2026-01-02T00:00:00Z' }),
    ]);
  });

  for (const sent of [[], [{}]]) {
    it(`drops all owners for ${JSON.stringify(sent)}`, () => {
      const live = stored([entry('old', data('.', 'a'))]);
      assert.deepEqual(track(stored(sent), live), undefined);
    });
  }

  it('accepts managers from the client, and ignores invalid ones', () => {
    const live = stored([entry('old', data('.', 'a'))]);
    assert.deepEqual(track(stored([entry('new', data('a'))]), live), [entry('new', data('a'))]);
    for (const bad of [
      { ...entry('x', data('a')), fieldsType: 'FieldsV2' },
      entry('x', { bad: {} }),
      entry('x', data('a'), { apiVersion: '' }),
    ]) {
      assert.deepEqual(track(stored([bad]), live), live.metadata.managedFields);
    }
  });

  it('sorts by operation, time, manager, version and subresource', () => {
    const live = stored([
      entry('z', data('z'), { time: '2026-01-03T00:00:00Z' }),
      entry('b', data('b')),
      entry('a', data('a'), { subresource: 'status' }),
      entry('y', data('y'), { operation: 'Apply', time: '2026-01-04T00:00:00Z' }),
    ]);
    const managers = track(thing({ data: { a: '1', new: '1' } }), live)?.map((each) => each.manager);
    assert.deepEqual(managers, ['y', 'a', 'b', 'm', 'z']);
  });

  it('merges the oldest updaters of a version beyond ten', () => {
    const names = Array.from({ length: 11 }, (_, index) => `k${index}`);
    const live = stored(
      names
        .slice(0, 10)
        .map((name, index) => entry(`m${index}`, data(name), { time: `2026-01-01T00:00:${10 + index}Z` })),
      { data: Object.fromEntries(names.slice(0, 10).map((name) => [name, '1'])) },
    );
    const managers = track(thing({ data: Object.fromEntries(names.map((name) => [name, '1'])) }), live);
    assert.equal(managers?.length, 10);
    assert.deepEqual(managers?.[0], entry('ancient-changes', data('k0', 'k1'), { time: '2026-01-01T00:00:11Z' }));
    assert.equal(managers?.at(-1)?.manager, 'm');
  });

  it('merges very many updaters, and loses one that is already named ancient-changes, like upstream', () => {
    const time = '2026-01-01T00:00:11Z';
    const object = thing({ data: { a: '1' } });
    const names = Array.from({ length: 3000 }, (_, index) => `n${index}`);
    const of = (managers: readonly string[]) =>
      stored(managers.map((name) => entry(name, data(`of-${name}`), { time })));
    const [bucket, ...others] = track(object, of(names)) ?? [];
    assert.deepEqual([bucket?.manager, others.length], ['ancient-changes', 9]);
    assert.equal(Object.keys(bucket?.fieldsV1?.['f:data'] ?? {}).length, 3000 - 9);
    const agents = ['Agent', 'ancient-changes', ...names.slice(0, 9)];
    assert.deepEqual(
      track(object, of(agents))?.map(({ manager }) => manager),
      ['Agent', ...names.slice(0, 9)],
    );
  });

  it('keeps members that a client invented below a scalar', () => {
    const below = { 'f:data': { 'f:a': { 'f:b': {} } } };
    assert.deepEqual(track(thing({ data: { a: '1', new: '1' } }), stored([entry('x', below)]))?.[0], entry('x', below));
  });

  it('compares in the version of each entry, and drops entries of removed versions', () => {
    const live = stored([
      entry('old', data('a'), { apiVersion: 'v0' }),
      entry('older', data('a'), { apiVersion: 'gone' }),
    ]);
    const managers = track(thing({ data: { a: '2' } }), live, {
      convert: (_, apiVersion) =>
        apiVersion === 'gone' ? undefined : { object: thing({ data: { a: 'same' } }), schema: thingSchema },
    });
    assert.deepEqual(
      managers?.map((each) => each.manager),
      ['old', 'm'],
    );
  });
});

describe('managerOf', () => {
  const cases: readonly (readonly [string | undefined, string | undefined, string])[] = [
    ['given', 'agent/1', 'given'],
    ['', 'kubectl/v1.36.0 (linux/amd64)', 'kubectl'],
    [undefined, 'a\u0007b/x', 'ab'],
    [undefined, `${'x'.repeat(127)}éy`, 'x'.repeat(127)],
    [undefined, undefined, 'unknown'],
    [undefined, '/x', 'unknown'],
  ];
  for (const [parameter, agent, expected] of cases) {
    it(`${parameter ?? 'no parameter'} and ${agent?.slice(0, 20) ?? 'no agent'}`, () =>
      assert.equal(managerOf(parameter, agent), expected));
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../json/index.js';
import { asObject, type KubernetesObject } from '../meta/index.js';
import { FieldSet, trackUpdate } from './index.js';
import { LATER, NOW, apply, applyAll, ownedFields, thrownStatus, sameSchema, spec, stored } from './apply.testing.js';
import { thingSchema } from './schema.testing.js';

describe('applyConfiguration', () => {
  it('creates an object, and owns the applied fields', () => {
    const applied = apply(undefined, 'm', { metadata: { name: 'x' }, data: { a: '1' } });
    assert.equal(
      JSON.stringify(applied.managedFields),
      '[{"manager":"m","operation":"Apply","apiVersion":"v1","time":"2026-01-02T00:00:00Z","fieldsType":"FieldsV1",' +
        '"fieldsV1":{"f:data":{"f:a":{}}}}]',
    );
    assert.deepEqual(stored(applied).data, { a: '1' });
  });

  it('changes neither object nor time if the configuration is unchanged', () => {
    const before = applyAll(['m', { data: { a: '1' } }]);
    const again = apply(before, 'm', { data: { a: '1' } }, { now: LATER });
    assert.equal(again.document, undefined);
    assert.deepEqual(again.managedFields, before.metadata.managedFields);
  });

  it('shares fields applied with equal values, and removes fields no longer applied', () => {
    const both = applyAll(['a', { data: { x: '1', y: '1' } }], ['b', { data: { x: '1', z: '1' } }]);
    assert.deepEqual(both.data, { x: '1', y: '1', z: '1' });
    const one = stored(apply(both, 'a', { data: {} }));
    assert.deepEqual(one.data, { x: '1', z: '1' });
    assert.deepEqual(ownedFields(one), { a: { 'f:data': {} }, b: { 'f:data': { 'f:x': {}, 'f:z': {} } } });
    assert.equal(stored(apply(applyAll(['a', { data: { x: '1' } }]), 'a', {})).data, undefined);
  });

  it('removes a list without items left, also from its other owners', () => {
    const before = applyAll([
      'a',
      { metadata: { finalizers: ['f'] }, spec: { selector: { matchLabels: { x: '1' } } } },
    ]);
    const owner = { operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' } as const;
    const others = [
      { ...owner, manager: 'list', fieldsV1: { 'f:metadata': { 'f:finalizers': {} } } },
      { ...owner, manager: 'struct', fieldsV1: { 'f:spec': { 'f:selector': {} } } },
    ];
    const managedFields = [...(before.metadata.managedFields ?? []), ...others];
    const live = { ...before, metadata: { ...before.metadata, managedFields } };
    const applied = apply(live, 'a', { metadata: { name: 'n', finalizers: [] }, data: { y: '1' } }, { force: true });
    const { metadata, spec: rest } = applied.document ?? {};
    assert.deepEqual(
      [metadata, rest],
      [
        { uid: 'u', name: 'n' },
        { containers: null, selector: { matchLabels: { x: '1' } } },
      ],
    );
    assert.deepEqual(Object.keys(ownedFields(applied)), ['a', 'struct']);
  });

  it('leaves an empty object that is applied without the fields that it had', () => {
    const before = applyAll(['a', { status: { phase: 'x' } }]);
    const applied = apply(before, 'a', { status: {} });
    assert.deepEqual(applied.document?.['status'], {});
    assert.deepEqual(Object.keys(ownedFields(applied)), ['a']);
  });

  it('reports every conflict by manager and path', () => {
    const live = applyAll(['b', { data: { x: '1' } }], ['a', { data: { x: '1', y: '1' } }]);
    assert.deepEqual(
      thrownStatus(() => apply(live, 'c', { data: { x: '2', y: '2' } })),
      {
        code: 409,
        message:
          'Apply failed with 3 conflicts: conflicts with "a":\n- .data.x\n- .data.y\nconflicts with "b":\n- .data.x',
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.data.x' },
          { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.data.y' },
          { reason: 'FieldManagerConflict', message: 'conflict with "b"', field: '.data.x' },
        ],
      },
    );
  });

  it("reports conflicts in upstream's order of managers", () => {
    const entry = {
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:x': {} } },
    };
    const managers = [
      { ...entry, manager: 'a' },
      { ...entry, manager: 'a', subresource: 'status' },
      { ...entry, manager: 'a', operation: 'Update' },
      { ...entry, manager: '' },
    ];
    const live = { apiVersion: 'v1', kind: 'Thing', data: { x: '1' }, metadata: { uid: 'u', managedFields: managers } };
    const { message } = thrownStatus(() => apply(asObject(live), 'm', { data: { x: '2' } }));
    assert.deepEqual(message.match(/conflicts with .*(?=:)/g), [
      'conflicts with "a" with subresource "status"',
      'conflicts with "a"',
      'conflicts with "a" using v1',
      'conflicts with ""',
    ]);
  });

  it('fails if another version has a duplicate item, and an update then is not tracked', () => {
    const twice = { finalizers: ['f', 'f'] };
    const entry = { manager: 'a', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:extra': {} } } as const;
    const live = (apiVersion: string): KubernetesObject => ({
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { uid: 'u', ...twice, managedFields: [{ ...entry, apiVersion }] },
    });
    assert.ok(apply(live('v1'), 'm', { data: { x: '1' } }).document !== undefined);
    const { code, message } = thrownStatus(() => apply(live('v2'), 'm', { data: { x: '1' } }));
    assert.deepEqual([code, message], [500, '.metadata.finalizers: duplicate entries for key [="f"]']);
    const update = (apiVersion: string) =>
      trackUpdate({
        live: live(apiVersion),
        updated: { apiVersion: 'v1', kind: 'Thing', metadata: { uid: 'u', ...twice }, data: { x: '1' } },
        schema: thingSchema,
        apiVersion: 'v1',
        manager: 'm',
        subresource: '',
        now: NOW,
        convert: sameSchema,
      });
    assert.deepEqual([update('v1')?.length, update('v2')], [2, undefined]);
  });

  it('names updaters with their version and subresource', () => {
    const live = applyAll(['a', { data: { x: '1' } }]);
    const updated: KubernetesObject = { ...live, data: { x: '2' }, metadata: { uid: 'u' } };
    const entries = trackUpdate({
      live,
      updated,
      schema: thingSchema,
      apiVersion: 'v1',
      manager: 'editor',
      subresource: 'status',
      now: NOW,
    });
    assert.ok(entries !== undefined);
    const edited = { ...updated, metadata: { uid: 'u', managedFields: entries } };
    assert.equal(
      thrownStatus(() => apply(edited, 'a', { data: { x: '1' } })).message,
      'Apply failed with 1 conflict: conflict with "editor" with subresource "status" using v1: .data.x',
    );
  });

  it('takes ownership by force', () => {
    const live = applyAll(['a', { data: { x: '1', y: '1' } }], ['b', { data: { x: '2' } }]);
    assert.deepEqual(live.data, { x: '2', y: '1' });
    assert.deepEqual(ownedFields(live), { a: { 'f:data': { 'f:y': {} } }, b: { 'f:data': { 'f:x': {} } } });
  });

  it('merges lists by their keys, including defaulted keys', () => {
    const live = applyAll(
      ['a', spec({ name: 'c', image: 'i', ports: [{ containerPort: 80 }] })],
      ['b', spec({ name: 'side', image: 's' }, { name: 'c', ports: [{ containerPort: 80, protocol: 'UDP' }] })],
    );
    assert.deepEqual(live.spec, {
      containers: [
        { name: 'side', image: 's' },
        { name: 'c', image: 'i', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] },
      ],
    });
    const rest = stored(apply(live, 'b', spec({ name: 'side', image: 's' })));
    assert.deepEqual(rest.spec, {
      containers: [
        { name: 'side', image: 's' },
        { name: 'c', image: 'i', ports: [{ containerPort: 80 }] },
      ],
    });
  });

  it('removes an item if no other manager owns a part of it, and keeps it otherwise', () => {
    const live = applyAll(['a', spec({ name: 'c', image: 'i' }, { name: 'd', image: 'j' })]);
    const defaulted: KubernetesObject = {
      ...live,
      spec: {
        containers: [
          { name: 'c', image: 'i', args: ['by', 'default'] },
          { name: 'd', image: 'j', args: ['by', 'default'] },
        ],
      },
    };
    const shared = stored(apply(defaulted, 'b', spec({ name: 'd', resources: { limits: { cpu: '1' } } })), defaulted);
    assert.deepEqual(stored(apply(shared, 'a', { spec: { containers: [] } })).spec, {
      containers: [{ name: 'd', args: ['by', 'default'], resources: { limits: { cpu: '1' } } }],
    });
  });

  it('replaces atomic values as a whole', () => {
    const live = applyAll(['a', { spec: { selector: { matchLabels: { x: '1' } }, options: { o: '1' } } }]);
    const applied = stored(apply(live, 'a', { spec: { selector: { matchLabels: { y: '1' } }, options: { p: '1' } } }));
    assert.deepEqual(applied.spec, { selector: { matchLabels: { y: '1' } }, options: { p: '1' } });
    assert.deepEqual(ownedFields(applied), { a: { 'f:spec': { 'f:options': {}, 'f:selector': {} } } });
  });

  it('merges sets', () => {
    const finalizers = (...names: string[]): JsonObject => ({ metadata: { finalizers: names } });
    const live = applyAll(['a', finalizers('x', 'y')], ['b', finalizers('z', 'x')]);
    assert.deepEqual(live.metadata.finalizers, ['z', 'x', 'y']);
    const rest = stored(apply(live, 'a', finalizers('y')), live);
    assert.deepEqual(rest.metadata.finalizers, ['z', 'x', 'y']);
    assert.deepEqual(stored(apply(rest, 'b', finalizers('x'))).metadata.finalizers, ['x', 'y']);
  });

  it('adds a manager that owns all existing fields if the object has none', () => {
    const live: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { name: 'x', uid: 'u' },
      data: { a: '1' },
    };
    const same = apply(live, 'm', { data: { a: '1' } });
    assert.equal(same.document, undefined);
    assert.deepEqual(
      same.managedFields,
      [
        {
          manager: 'm',
          operation: 'Apply',
          apiVersion: 'v1',
          time: undefined,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:a': {} } },
        },
        {
          manager: 'before-first-apply',
          operation: 'Update',
          apiVersion: 'v1',
          time: NOW,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
        },
      ].map(({ time, ...entry }) => (time === undefined ? entry : { ...entry, time })),
    );
    assert.match(
      thrownStatus(() => apply(live, 'm', { data: { a: '2' } })).message,
      /"before-first-apply" using v1: \.data\.a$/,
    );
  });

  it('ignores fields that the endpoint resets', () => {
    const facts = { resetFields: FieldSet.of(['f:status']) };
    const applied = apply(undefined, 'm', { data: { a: '1' }, status: { phase: 'Up' } }, facts);
    assert.deepEqual(ownedFields(applied), { m: { 'f:data': { 'f:a': {} } } });
    assert.deepEqual(apply(undefined, 'm', { status: { phase: 'Up' } }, facts).managedFields, undefined);
  });

  it("compares in each manager's version, and drops managers of removed versions", () => {
    const live = applyAll(['a', { data: { x: '1' } }], ['b', { data: { y: '1' } }]);
    const [first = {}, second = {}] = live.metadata.managedFields ?? [];
    const old = {
      ...live,
      metadata: {
        ...live.metadata,
        managedFields: [
          { ...first, apiVersion: 'v0' },
          { ...second, apiVersion: 'gone' },
        ],
      },
    };
    assert.match(thrownStatus(() => apply(old, 'c', { data: { x: '2' } })).message, /conflict with "a": \.data\.x$/);
    assert.deepEqual(Object.keys(ownedFields(apply(old, 'c', { data: { y: '2' } }))), ['a', 'c']);
    const managedFields = [first, second].map((each) => ({ ...each, apiVersion: 'v0' }));
    const moved = apply({ ...live, metadata: { ...live.metadata, managedFields } }, 'a', { data: {} });
    assert.deepEqual(stored(moved).data, { y: '1' });
    assert.deepEqual(
      moved.managedFields?.map((each) => each.apiVersion),
      ['v1', 'v0'],
    );
  });

  it('owns a value as a whole once its type has become atomic', () => {
    const live: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: {
        uid: 'u',
        managedFields: [
          {
            manager: 'a',
            operation: 'Apply',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:spec': { 'f:options': { 'f:o': {} } } },
          },
        ],
      },
      spec: { options: { o: '1' } },
    };
    assert.deepEqual(ownedFields(apply(live, 'b', { data: {} })), {
      a: { 'f:spec': { 'f:options': {} } },
      b: { 'f:data': {} },
    });
  });

  it('accepts live lists with duplicate items', () => {
    const twice = [
      { name: 'c', image: 'i' },
      { name: 'c', image: 'j' },
    ];
    const live: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { uid: 'u' },
      spec: { containers: twice },
    };
    const applied = stored(apply(live, 'm', spec({ name: 'd', image: 'k' })));
    assert.deepEqual((applied.spec as JsonObject)['containers'], [...twice, { name: 'd', image: 'k' }]);
    assert.deepEqual((ownedFields(applied)['before-first-apply'] as JsonObject)['f:spec'], {
      'f:containers': { 'k:{"name":"c"}': {} },
    });
    const once = stored(apply(applied, 'n', spec({ name: 'c', image: 'x' }), { force: true }));
    assert.deepEqual((once.spec as JsonObject)['containers'], [
      { name: 'c', image: 'x' },
      { name: 'd', image: 'k' },
    ]);
  });

  it('treats null as a value', () => {
    const live = applyAll(['a', { spec: { replicas: 1 }, data: { x: '1' } }]);
    const { document } = apply(live, 'a', { spec: { replicas: null }, data: null });
    assert.deepEqual(document?.spec, { containers: null, replicas: null });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { isObject, type JsonObject, type JsonValue } from '../json/index.js';
import type { KubernetesObject } from '../meta/index.js';
import { StatusError } from '../status/index.js';
import { type Application, type Applied, applyConfiguration, type Convert, FieldSet, trackUpdate } from './index.js';
import { thingSchema } from './test-schema.js';

const NOW = '2026-01-02T00:00:00Z';
const LATER = '2026-01-02T01:00:00Z';
const kind = { group: '', version: 'v1', kind: 'Thing' };
const sameSchema: Convert = (object, apiVersion) =>
  apiVersion === 'gone' ? undefined : { object: { ...object, apiVersion }, schema: thingSchema };

function configuration(fields: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Thing', ...fields };
}

function apply(
  live: KubernetesObject | undefined,
  manager: string,
  fields: JsonObject,
  facts: Partial<Application> = {},
): Applied {
  return applyConfiguration({
    live,
    configuration: configuration(fields),
    kind,
    schema: thingSchema,
    manager,
    subresource: '',
    force: false,
    now: NOW,
    convert: sameSchema,
    ...facts,
  });
}

/** The object that is stored after an apply: decoding leaves out what is null or empty. */
function stored(applied: Applied, before?: KubernetesObject): KubernetesObject {
  const { document } = applied;
  const unchanged = before ?? { apiVersion: 'v1', kind: 'Thing', metadata: {} };
  const object = document === undefined ? unchanged : (compact(document) as unknown as KubernetesObject);
  const metadata = { uid: 'u', ...object.metadata };
  delete metadata.managedFields;
  return {
    ...object,
    metadata: applied.managedFields === undefined ? metadata : { ...metadata, managedFields: applied.managedFields },
  };
}

function compact(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(compact);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined || isEmpty(item) ? [] : [[key, compact(item)]])),
  );
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Applies one after the other, each forced. */
function history(...steps: readonly (readonly [string, JsonObject])[]): KubernetesObject {
  let object: KubernetesObject | undefined;
  for (const [manager, fields] of steps) object = stored(apply(object, manager, fields, { force: true }), object);
  assert.ok(object !== undefined);
  return object;
}

/** Their fields by manager. */
function owned(object: KubernetesObject | Applied): Record<string, unknown> {
  const entries = 'metadata' in object ? object.metadata.managedFields : object.managedFields;
  const fields: Record<string, unknown> = {};
  for (const each of entries ?? []) fields[each.manager ?? ''] = each.fieldsV1;
  return fields;
}

function refusal(run: () => unknown): { code: number; message: string; causes: unknown } {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return { code: error.code, message: error.message, causes: error.status.details?.causes };
  }
  return assert.fail('nothing was thrown');
}

const spec = (...containers: JsonObject[]): JsonObject => ({ spec: { containers } });

describe('applyConfiguration', () => {
  it('makes an object out of nothing, and owns what was said', () => {
    const applied = apply(undefined, 'm', { metadata: { name: 'x' }, data: { a: '1' } });
    assert.equal(
      JSON.stringify(applied.managedFields),
      '[{"manager":"m","operation":"Apply","apiVersion":"v1","time":"2026-01-02T00:00:00Z","fieldsType":"FieldsV1",' +
        '"fieldsV1":{"f:data":{"f:a":{}}}}]',
    );
    assert.deepEqual(stored(applied).data, { a: '1' });
  });

  it('changes neither object nor time when it says the same again', () => {
    const before = history(['m', { data: { a: '1' } }]);
    const again = apply(before, 'm', { data: { a: '1' } }, { now: LATER });
    assert.equal(again.document, undefined);
    assert.deepEqual(again.managedFields, before.metadata.managedFields);
  });

  it('shares what it says alike, and takes what it stops saying with it', () => {
    const both = history(['a', { data: { x: '1', y: '1' } }], ['b', { data: { x: '1', z: '1' } }]);
    assert.deepEqual(both.data, { x: '1', y: '1', z: '1' });
    const one = stored(apply(both, 'a', { data: {} }));
    assert.deepEqual(one.data, { x: '1', z: '1' });
    assert.deepEqual(owned(one), { a: { 'f:data': {} }, b: { 'f:data': { 'f:x': {}, 'f:z': {} } } });
    assert.equal(stored(apply(history(['a', { data: { x: '1' } }]), 'a', {})).data, undefined);
  });

  it('tells every conflict, by manager and path', () => {
    const live = history(['b', { data: { x: '1' } }], ['a', { data: { x: '1', y: '1' } }]);
    assert.deepEqual(
      refusal(() => apply(live, 'c', { data: { x: '2', y: '2' } })),
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

  it('names updaters with their version and subresource', () => {
    const live = history(['a', { data: { x: '1' } }]);
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
      refusal(() => apply(edited, 'a', { data: { x: '1' } })).message,
      'Apply failed with 1 conflict: conflict with "editor" with subresource "status" using v1: .data.x',
    );
  });

  it('takes over by force', () => {
    const live = history(['a', { data: { x: '1', y: '1' } }], ['b', { data: { x: '2' } }]);
    assert.deepEqual(live.data, { x: '2', y: '1' });
    assert.deepEqual(owned(live), { a: { 'f:data': { 'f:y': {} } }, b: { 'f:data': { 'f:x': {} } } });
  });

  it('merges lists by their keys, defaults of keys included', () => {
    const live = history(
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

  it('removes an item with all that nobody owns in it, and keeps one that somebody has a part of', () => {
    const live = history(['a', spec({ name: 'c', image: 'i' }, { name: 'd', image: 'j' })]);
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

  it('replaces atomic values whole', () => {
    const live = history(['a', { spec: { selector: { matchLabels: { x: '1' } }, options: { o: '1' } } }]);
    const applied = stored(apply(live, 'a', { spec: { selector: { matchLabels: { y: '1' } }, options: { p: '1' } } }));
    assert.deepEqual(applied.spec, { selector: { matchLabels: { y: '1' } }, options: { p: '1' } });
    assert.deepEqual(owned(applied), { a: { 'f:spec': { 'f:options': {}, 'f:selector': {} } } });
  });

  it('merges sets', () => {
    const finalizers = (...names: string[]): JsonObject => ({ metadata: { finalizers: names } });
    const live = history(['a', finalizers('x', 'y')], ['b', finalizers('z', 'x')]);
    assert.deepEqual(live.metadata.finalizers, ['z', 'x', 'y']);
    const rest = stored(apply(live, 'a', finalizers('y')), live);
    assert.deepEqual(rest.metadata.finalizers, ['z', 'x', 'y']);
    assert.deepEqual(stored(apply(rest, 'b', finalizers('x'))).metadata.finalizers, ['x', 'y']);
  });

  it('gives an object without managers one that owns all that is there', () => {
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
      refusal(() => apply(live, 'm', { data: { a: '2' } })).message,
      /"before-first-apply" using v1: \.data\.a$/,
    );
  });

  it('leaves out what the endpoint resets', () => {
    const facts = { resetFields: FieldSet.of(['f:status']) };
    const applied = apply(undefined, 'm', { data: { a: '1' }, status: { phase: 'Up' } }, facts);
    assert.deepEqual(owned(applied), { m: { 'f:data': { 'f:a': {} } } });
    assert.deepEqual(apply(undefined, 'm', { status: { phase: 'Up' } }, facts).managedFields, undefined);
  });

  it('compares in the version of each manager, and drops those of versions that are gone', () => {
    const live = history(['a', { data: { x: '1' } }], ['b', { data: { y: '1' } }]);
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
    assert.match(refusal(() => apply(old, 'c', { data: { x: '2' } })).message, /conflict with "a": \.data\.x$/);
    assert.deepEqual(Object.keys(owned(apply(old, 'c', { data: { y: '2' } }))), ['a', 'c']);
    const managedFields = [first, second].map((each) => ({ ...each, apiVersion: 'v0' }));
    const moved = apply({ ...live, metadata: { ...live.metadata, managedFields } }, 'a', { data: {} });
    assert.deepEqual(stored(moved).data, { y: '1' });
    assert.deepEqual(
      moved.managedFields?.map((each) => each.apiVersion),
      ['v1', 'v0'],
    );
  });

  it('owns as one what has become one value', () => {
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
    assert.deepEqual(owned(apply(live, 'b', { data: {} })), {
      a: { 'f:spec': { 'f:options': {} } },
      b: { 'f:data': {} },
    });
  });

  it('reads live lists that hold an item twice', () => {
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
    assert.deepEqual((owned(applied)['before-first-apply'] as JsonObject)['f:spec'], {
      'f:containers': { 'k:{"name":"c"}': {} },
    });
    const once = stored(apply(applied, 'n', spec({ name: 'c', image: 'x' }), { force: true }));
    assert.deepEqual((once.spec as JsonObject)['containers'], [
      { name: 'c', image: 'x' },
      { name: 'd', image: 'k' },
    ]);
  });

  it('takes null for what it is', () => {
    const live = history(['a', { spec: { replicas: 1 }, data: { x: '1' } }]);
    const { document } = apply(live, 'a', { spec: { replicas: null }, data: null });
    assert.deepEqual(document?.spec, { containers: null, replicas: null });
  });
});

describe('the annotation of client-side apply', () => {
  const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
  const lastApplied = JSON.stringify(configuration({ data: { a: '1', b: '1' } }));
  const live: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { uid: 'u', annotations: { [ANNOTATION]: lastApplied } },
    data: { a: '1', b: 'edited' },
  };

  it('lets kubectl take over what nobody changed since', () => {
    const applied = stored(apply(live, 'kubectl', { data: { a: '2' } }));
    assert.deepEqual(applied.data, { a: '2', b: 'edited' });
    assert.equal(
      applied.metadata.annotations?.[ANNOTATION],
      `${JSON.stringify({ apiVersion: 'v1', data: { a: '2' }, kind: 'Thing' })}\n`,
    );
    assert.deepEqual(owned(applied)['kubectl'], { 'f:data': { 'f:a': {} } });
  });

  it('conflicts where somebody did, or where it is not kubectl', () => {
    const message = (manager: string, fields: JsonObject): string =>
      refusal(() => apply(live, manager, fields)).message;
    assert.match(message('kubectl', { data: { a: '2', b: '2' } }), /^Apply failed with 1 conflict: .*: \.data\.b$/);
    assert.match(message('other', { data: { a: '2' } }), /: \.data\.a$/);
  });
});

describe('configurations that are refused', () => {
  const typed = (problem: string): string => `failed to create typed patch object (/; /v1, Kind=Thing): ${problem}`;
  const cases: readonly (readonly [JsonObject, number, string])[] = [
    [{ kind: 'Other' }, 400, 'invalid object type: /v1, Kind=Other'],
    [{ apiVersion: 'a/b/c' }, 400, 'invalid object type: /, Kind='],
    [{ apiVersion: 'g/v1' }, 400, 'invalid object type: g/v1, Kind=Thing'],
    [{ metadata: { managedFields: [] } }, 400, 'metadata.managedFields must be nil'],
    [{ bogus: 1 }, 500, typed('.bogus: field not declared in schema')],
    [{ ['__proto__']: { x: 1 } }, 500, typed('.__proto__: field not declared in schema')],
    [{ data: 'x' }, 500, typed('.data: expected map, got &{x}')],
    [{ data: { a: 1e6 } }, 500, typed('.data.a: expected string, got &value.valueUnstructured{Value:1e+06}')],
    [
      { data: { a: { b: [true, 'c"'] } } },
      500,
      typed(
        '.data.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":[]interface {}{true, "c\\""}}}',
      ),
    ],
    [{ spec: { replicas: '1' } }, 500, typed('.spec.replicas: expected numeric (int or float), got string')],
    [{ spec: { replicas: [1] } }, 500, typed('.spec.replicas: expected numeric (int or float), got []interface {}')],
    [{ metadata: { finalizers: 'x' } }, 500, typed('.metadata.finalizers: expected list, got &{x}')],
    [{ metadata: { finalizers: ['x', 'x'] } }, 500, typed('.metadata.finalizers: duplicate entries for key [="x"]')],
    [
      { metadata: { finalizers: [null] } },
      500,
      typed(".metadata.finalizers: element 0: associative list without keys has an element that's an explicit null"),
    ],
    [
      { metadata: { finalizers: [{}] } },
      500,
      typed(".metadata.finalizers: element 0: associative list without keys has an element that's a map type"),
    ],
    [
      { metadata: { finalizers: [[]] } },
      500,
      typed('.metadata.finalizers: element 0: not supported: associative list with lists as elements'),
    ],
    [
      spec({ image: 'i' }),
      500,
      typed(
        '.spec.containers: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
      ),
    ],
    [
      { spec: { containers: ['c'] } },
      500,
      typed('.spec.containers: element 0: associative list with keys may not have non-map elements'),
    ],
    [
      spec({ name: 'c', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] }),
      500,
      typed('.spec.containers[name="c"].ports: duplicate entries for key [containerPort=80,protocol="TCP"]'),
    ],
    [
      spec({ name: 'c', args: [1], image: 2 }),
      500,
      typed(
        'errors:\n  .spec.containers[name="c"].args[0]: expected string, got &value.valueUnstructured{Value:1}\n  .spec.containers[name="c"].image: expected string, got &value.valueUnstructured{Value:2}',
      ),
    ],
  ];
  for (const [fields, code, message] of cases) {
    it(JSON.stringify(fields), () => {
      const got = refusal(() => apply(undefined, 'm', fields));
      assert.deepEqual([got.code, got.message], [code, message]);
    });
  }

  it('names the object', () => {
    const { message } = refusal(() => apply(undefined, 'm', { metadata: { name: 'n', namespace: 'ns' }, bogus: 1 }));
    assert.match(message, /^failed to create typed patch object \(ns\/n; \/v1, Kind=Thing\)/);
  });

  it('reads entries that cannot be read as a failure', () => {
    const live: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { uid: 'u', managedFields: [{ manager: 'x' }] },
    };
    assert.deepEqual(
      refusal(() => apply(live, 'm', {})),
      {
        code: 500,
        message: 'failed to decode managed fields: operation must be `Apply` or `Update`',
        causes: undefined,
      },
    );
  });
});

describe('any document', () => {
  const names = [
    'metadata',
    'spec',
    'status',
    'data',
    'extra',
    'containers',
    'name',
    'ports',
    'containerPort',
    'protocol',
  ];
  const more = [
    'finalizers',
    'labels',
    'selector',
    'options',
    'replicas',
    'args',
    'image',
    '__proto__',
    'constructor',
    '',
  ];
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6, depthIdentifier: 'tree' },
      fc.constantFrom<JsonValue>('a', 'b', '', 1, 0, true, null),
      fc.array(tie('tree'), { maxLength: 3, depthIdentifier: 'tree' }),
      fc.dictionary(fc.constantFrom(...names, ...more), tie('tree'), { maxKeys: 4, depthIdentifier: 'tree' }),
    ),
  }));
  const documents = fc.dictionary(fc.constantFrom(...names.slice(0, 5)), tree, { maxKeys: 4 });
  const managers = fc.constantFrom('a', 'b', 'kubectl');

  it('is applied or refused, and applying it again changes nothing', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(managers, documents, fc.boolean()), { maxLength: 6 }), (steps) => {
        let live: KubernetesObject | undefined;
        for (const [manager, fields, force] of steps) {
          try {
            live = stored(apply(live, manager, fields, { force }), live);
            taken++;
          } catch (error) {
            assert.ok(error instanceof StatusError, String(error));
            continue;
          }
          // What the typed object does not show, such as an empty map, is there anew each time.
          if (hasNothing(fields)) continue;
          const again = apply(live, manager, fields, { force: true, now: LATER });
          assert.equal(again.document, undefined);
          assert.deepEqual(again.managedFields, live.metadata.managedFields);
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(taken > 100, String(taken));
  });

  function hasNothing(value: JsonValue | undefined): boolean {
    if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
    if (typeof value !== 'object') return false;
    const inner: readonly (JsonValue | undefined)[] = Object.values(value);
    return inner.length === 0 || inner.some(hasNothing);
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, type JsonValue, parseJson } from '../json/index.js';
import { trackUpdate } from '../managedfields/index.js';
import { type FieldError, fieldErrorDetail, quoteGo } from '../status/index.js';
import { finish } from '../work/index.js';
import { compileSchema } from './compile.js';
import { applySchemaDefaults, pruneNulls } from './defaults.js';
import { coerceEmbeddedResources, validateEmbeddedResources } from './embedded-resources.js';
import { validateListItems } from './list-items.js';
import { isFieldPathOf } from './field-path.js';
import { pruneUnknownFields } from './prune.js';
import { structSchemaOf } from './struct-schema.js';
import { structuralProblems } from './structural-problems.js';
import { objectMetaForTests as objectMeta } from './schema.testing.js';
import { validateDefaults } from './validate-defaults.js';
import { validateValue } from './validate-value.js';

const texts = (errors: readonly FieldError[]): string[] =>
  errors.map((error) => `${error.field}: ${fieldErrorDetail(error)}`);
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });

/** The errors for field `a` of an object. */
function check(schema: JsonObject, value: JsonValue, old?: JsonValue): string[] {
  const options = old === undefined ? {} : { old: { a: old } };
  return texts(validateValue({ a: value }, compileSchema(object({ a: schema })), options));
}

describe('validateValue', () => {
  const cases: [what: string, schema: JsonObject, value: JsonValue, errors: string[]][] = [
    ['a type', { type: 'string' }, 1, ['a: Invalid value: "integer": a in body must be of type string: "integer"']],
    ['whole doubles for integers', { type: 'integer' }, 1.0, []],
    [
      'broken numbers',
      { type: 'integer' },
      1.5,
      ['a: Invalid value: "number": a in body must be of type integer: "number"'],
    ],
    [
      'numbers that are broken by less than the check of types sees',
      { type: 'integer' },
      123456789.12345679,
      ['<nil>: Invalid value: "": Checked value must be of type integer (default format) in a'],
    ],
    ['int or string', { 'x-kubernetes-int-or-string': true }, 'x', []],
    [
      'neither int nor string',
      { 'x-kubernetes-int-or-string': true },
      true,
      ['a: Invalid value: "boolean": a in body must be of type integer,string: "boolean"'],
    ],
    ['null where it may be', { type: 'string', nullable: true }, null, []],
    [
      'null in another place',
      { type: 'string' },
      null,
      ['a: Invalid value: "null": a in body must be of type string: "null"'],
    ],
    ['lengths in characters', { type: 'string', maxLength: 2 }, '😀😀', []],
    [
      'too short',
      { type: 'string', minLength: 2 },
      'x',
      ['a: Invalid value: "x": a in body should be at least 2 chars long'],
    ],
    ['patterns anywhere', { type: 'string', pattern: 'b+' }, 'abbc', []],
    [
      'exclusive bounds',
      { type: 'integer', minimum: 1, exclusiveMinimum: true },
      1,
      ['a: Invalid value: 1: a in body should be greater than 1'],
    ],
    ['multiples', { type: 'number', multipleOf: 0.1 }, 0.3, []],
    [
      'int32',
      { type: 'integer', format: 'int32' },
      2147483648,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in a'],
    ],
    [
      'too few items',
      { type: 'array', minItems: 1, items: { type: 'string' } },
      [],
      ['a: Invalid value: 0: a in body should have at least 1 items'],
    ],
    ['enum', { type: 'string', enum: ['x', 'y'] }, 'z', ['a: Unsupported value: "z": supported values: "x", "y"']],
    ['required fields', object({ b: { type: 'string' } }, { required: ['b'] }), {}, ['a.b: Required value']],
    [
      'a value schema of maps',
      { type: 'object', additionalProperties: { type: 'integer' } },
      { k: 'x' },
      ['a.k: Invalid value: "string": a.k in body must be of type integer: "string"'],
    ],
    [
      'anyOf shows the best alternative',
      { type: 'string', anyOf: [{ pattern: '^x' }, { maxLength: 1 }] },
      'yy',
      [
        '<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)',
        'a: Invalid value: "yy": a in body should match \'^x\'',
      ],
    ],
    [
      'oneOf counts',
      { type: 'string', oneOf: [{ pattern: '^x' }, { pattern: 'y$' }] },
      'xy',
      ['<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      'allOf',
      { type: 'string', allOf: [{ pattern: '^x' }, { pattern: 'y$' }] },
      'xx',
      [
        'a: Invalid value: "xx": a in body should match \'y$\'',
        '<nil>: Invalid value: "": "a" must validate all the schemas (allOf)',
      ],
    ],
    [
      'not',
      { type: 'string', not: { enum: ['x'] } },
      'x',
      ['<nil>: Invalid value: "": "a" must not validate the schema (not)'],
    ],
  ];
  for (const [what, schema, value, errors] of cases) it(what, () => assert.deepEqual(check(schema, value), errors));

  const formats: [format: string, good: string, bad: string][] = [
    ['date-time', '2020-02-29T23:59:59.5Z', '2019-02-29T00:00:00Z'],
    ['date', '2020-02-29', '2020-2-29'],
    ['duration', '3 days', 'soon'],
    ['duration', '3\tdays', '3\u00a0days'],
    ['ipv4', '10.0.0.1', '10.0.0'],
    ['ipv4', '10.0.0.01', '10.0.0.256'],
    ['ipv6', '::1', '10.0.0.1'],
    ['ipv6', '::10.0.0.1', '::10.0.0.01'],
    ['cidr', '10.0.0.0/8', '10.0.0.0'],
    ['email', 'A <a@b.example>', 'a.example'],
    ['uri', 'https://a.example/x?y', 'a.example'],
    ['hostname', 'a.example', 'a..example'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
    ['mac', '01:23:45:67:89:ab', '01:23'],
    ['mac', '0123456789ab', '0123456789'],
    ['byte', 'aGk=', 'aGk'],
    ['isbn13', '978-0321751041', '978-0321751042'],
    ['isbn13', '978\t0321751041', '978\ufeff0321751041'],
    ['creditcard', '4111 1111 1111 1111', '4111 1111 1111 1112'],
    ['rgbcolor', 'rgb(1, 2, 255)', 'rgb(1,2,256)'],
    ['rgbcolor', 'rgb(1,\f2,255)', 'rgb(1,\u00a02,255)'],
    ['k8s-short-name', 'a-b', 'a.b'],
  ];
  for (const [format, good, bad] of formats) {
    it(`the format ${format} of ${JSON.stringify(bad)}`, () => {
      assert.deepEqual(check({ type: 'string', format }, good), []);
      assert.deepEqual(check({ type: 'string', format }, bad), [
        `a: Invalid value: ${quoteGo(bad)}: a in body must be of type ${format}: ${quoteGo(bad)}`,
      ]);
    });
  }

  it('ratchets errors of unchanged values, and no others', () => {
    const list = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
    const schema = { ...list, items: object({ k: { type: 'string' }, v: { type: 'string', maxLength: 1 } }) };
    const old = [{ k: 'x', v: 'long' }];
    assert.deepEqual(
      check(
        schema,
        [
          { k: 'new', v: 'a' },
          { k: 'x', v: 'long' },
        ],
        old,
      ),
      [],
    );
    assert.deepEqual(check(schema, [{ k: 'x', v: 'longer' }], old), ['a[0].v: Too long: may not be more than 1 bytes']);
    assert.deepEqual(check({ type: 'array', items: { type: 'string', maxLength: 1 } }, ['xx', 'y'], ['xx']), [
      'a[0]: Too long: may not be more than 1 bytes',
    ]);
  });

  it('matches hostile patterns in linear time, and bounds the number of problems', () => {
    assert.equal(check({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(20_000)}!`).length, 1);
    const errors = check(
      { type: 'array', items: { type: 'string' } },
      Array.from({ length: 5000 }, () => 1),
    );
    assert.equal(errors.length, 1000);
  });

  it('ignores the prototype', () => {
    const { value } = parseJson('{"__proto__":{"b":1}}');
    const schema = compileSchema(object({}, { required: ['constructor'], additionalProperties: { type: 'string' } }));
    assert.deepEqual(texts(validateValue(value, schema)), [
      '__proto__: Invalid value: "object": .__proto__ in body must be of type string: "object"',
      'constructor: Required value',
    ]);
  });
});

describe('structuralProblems', () => {
  const problems = (schema: JsonObject): string[] => texts(structuralProblems(schema, 's'));

  it('requires types', () => {
    assert.deepEqual(problems({ properties: { a: {}, b: { type: 'array' } } }), [
      's.properties[a].type: Required value: must not be empty for specified object fields',
      's.properties[b].items: Required value: must be specified',
      's.type: Required value: must not be empty at the root',
    ]);
  });

  it('reports no more than 3 MiB of text, in order', () => {
    const names = Array.from({ length: 100 }, (_, index) => `p${index}`);
    const below = object(Object.fromEntries(names.map((name) => [name, {}])));
    const found = problems(object({ ['k'.repeat(100_000)]: below }));
    assert.equal(found.length, 31);
    assert.deepEqual(found, found.toSorted());
  });

  it('rejects structure in allOf and the like, except for the two forms of int-or-string', () => {
    assert.deepEqual(problems(object({ a: { type: 'string', anyOf: [{ type: 'string', default: 'x' }] } })), [
      's.properties[a].anyOf[0].default: Forbidden: must be undefined to be structural',
      's.properties[a].anyOf[0].type: Forbidden: must be empty to be structural',
    ]);
    const anyOf = [{ type: 'integer' }, { type: 'string' }];
    const either = { 'x-kubernetes-int-or-string': true };
    assert.deepEqual(problems(object({ a: { ...either, anyOf }, b: { ...either, allOf: [{ anyOf }, {}] } })), []);
  });

  it('requires validated fields to be declared', () => {
    assert.deepEqual(problems(object({ a: { type: 'string' } }, { anyOf: [{ properties: { b: {} } }] })), [
      's.properties[b]: Required value: because it is defined in s.anyOf[0].properties[b]',
    ]);
  });

  it('restricts only names in metadata', () => {
    assert.deepEqual(problems(object({ metadata: object({ name: { type: 'string', maxLength: 5 } }) })), []);
    assert.deepEqual(problems(object({ metadata: object({ labels: { type: 'object' } }) })), [
      's.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ]);
  });

  it('rejects invalid patterns', () => {
    assert.deepEqual(problems(object({ a: { type: 'string', pattern: '[a' } })), [
      's.properties[a].pattern: Invalid value: "[a": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[a`',
    ]);
  });
});

describe('pruning, nulls and defaults', () => {
  const schema = compileSchema(
    object({
      a: { type: 'string', default: 'x' },
      keep: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { b: object({}) } },
      list: { type: 'array', items: object({ c: { type: 'integer', default: 1 } }) },
      deep: { type: 'object', default: {}, properties: { d: { type: 'string', default: 'y' } } },
    }),
  );

  it('removes unknown fields and returns their paths', () => {
    const value: JsonObject = {
      kind: 'K',
      metadata: { any: 1 },
      z: 1,
      keep: { free: { x: 1 }, b: { gone: 1 } },
      list: [{ c: 2, e: 1 }],
    };
    assert.deepEqual(pruneUnknownFields(value, schema, true), ['keep.b.gone', 'list[0].e', 'z']);
    assert.deepEqual(value, { kind: 'K', metadata: { any: 1 }, keep: { free: { x: 1 }, b: {} }, list: [{ c: 2 }] });
  });

  it('returns a megabyte of paths, the first always, and prunes all fields', () => {
    for (const [keyLength, reported] of [
      [1_400_000, 1],
      [100_000, 10],
    ] as const) {
      const inner = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 1]));
      const value = { map: { ['x'.repeat(keyLength)]: inner } };
      const schema = compileSchema({
        type: 'object',
        properties: { map: { type: 'object', additionalProperties: { type: 'object' } } },
      });
      assert.equal(pruneUnknownFields(value, schema, true).length, reported);
      assert.deepEqual(inner, {});
    }
  });

  it('drops nulls that are not allowed, and sets defaults, including nested ones', () => {
    const value: JsonObject = { a: null, keep: null, list: [{}] };
    pruneNulls(value, schema);
    applySchemaDefaults(value, schema);
    assert.deepEqual(value, { a: 'x', list: [{ c: 1 }], deep: { d: 'y' } });
  });

  it('requires defaults to be valid and pruned', () => {
    const options = { objectMeta, requirePruned: true };
    const problems = (properties: JsonObject) =>
      texts(finish(validateDefaults(compileSchema(object(properties)), 's', options)));
    assert.deepEqual(problems({ a: { type: 'string', default: 5 } }), [
      's.properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"',
    ]);
    assert.deepEqual(problems({ a: { type: 'object', default: { b: 1 } } }), [
      's.properties[a].default: Invalid value: {"b":1}: must not have unknown fields',
    ]);
  });
});

describe('isFieldPathOf', () => {
  const schema = object({ spec: object({ mode: {}, 'a.b': { additionalProperties: { type: 'string' } } }) });

  it('finds fields and map keys', () => {
    for (const path of ['.spec', '.spec.mode', ".spec['a.b']", ".spec['a.b'].x"])
      assert.ok(isFieldPathOf(path, schema));
    for (const path of ['spec', '.status', '.spec.mode.x', '.spec[mode]', '.__proto__']) {
      assert.ok(!isFieldPathOf(path, schema));
    }
  });

  it('looks only at the fields of the path', () => {
    const properties: JsonObject = { mode: {} };
    Object.defineProperty(properties, 'other', { enumerable: true, get: () => assert.fail('visited') });
    assert.ok(isFieldPathOf('.mode', object(properties)));
  });
});

describe('validateListItems', () => {
  it('reports the second of equal items', () => {
    const set = compileSchema(
      object({ a: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } } }),
    );
    assert.deepEqual(texts(validateListItems({ a: ['x', 'y', 'x', 'x'] }, set)), ['a[2]: Duplicate value: "x"']);
    const keyed = compileSchema(
      object({
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['p', 'k'],
          items: { type: 'object' },
        },
      }),
    );
    const items = [{ k: 1, p: 'x' }, { k: 2, p: 'x' }, { k: 1, p: 'x', v: 1 }, {}, {}];
    assert.deepEqual(texts(validateListItems({ a: items }, keyed)), [
      'a[2]: Duplicate value: {"k":1,"p":"x"}',
      'a[4]: Duplicate value: {}',
    ]);
  });
});

describe('embedded resources', () => {
  const schema = compileSchema(
    object({
      t: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    }),
  );

  it('have typed metadata', () => {
    const value: JsonObject = { t: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', nope: 1 } } };
    const unknown: string[] = [];
    const error = coerceEmbeddedResources(value, schema, {
      objectMeta,
      dropInvalid: false,
      unknown: (path) => unknown.push(path),
    });
    assert.equal(error, undefined);
    assert.deepEqual(unknown, ['t.metadata.nope']);
    assert.deepEqual(value, { t: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } } });
  });

  it('have a kind and a version', () => {
    assert.deepEqual(texts(validateEmbeddedResources({ t: { kind: '1' } }, schema, objectMeta)).slice(0, 1), [
      't.apiVersion: Required value',
    ]);
  });
});

describe('structSchemaOf', () => {
  it('gives ownership like upstream: null is a value, and values without a schema are granular', () => {
    const root = compileSchema(
      object({
        spec: object({
          nul: { type: 'string', nullable: true },
          raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          free: { 'x-kubernetes-preserve-unknown-fields': true },
          items: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            items: object({ k: { type: 'string' } }),
          },
        }),
      }),
    );
    const schema = structSchemaOf(root, { name: 'K', kind: 'K', objectMeta });
    const spec = { nul: null, raw: { b: { c: 1 } }, free: { d: 0 }, items: [{ k: 'x' }] };
    const entries = trackUpdate({
      live: undefined,
      updated: { apiVersion: 'a/v1', kind: 'K', metadata: {}, spec },
      schema,
      apiVersion: 'a/v1',
      manager: 'm',
      subresource: '',
      now: '2020-01-01T00:00:00Z',
    });
    assert.deepEqual(entries?.[0]?.fieldsV1, {
      'f:spec': {
        '.': {},
        'f:nul': {},
        'f:raw': { '.': {}, 'f:b': { '.': {}, 'f:c': {} } },
        'f:free': { '.': {}, 'f:d': {} },
        'f:items': { '.': {}, 'k:{"k":"x"}': { '.': {}, 'f:k': {} } },
      },
    });
  });
});

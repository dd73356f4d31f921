import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, type JsonValue, parseJson } from '@binnacle/apimachinery/json';
import { definitionsIn, generateTypes, parseDocuments } from './index.js';
import { widgetDefinition } from './test-definition.js';

const generate = (...objects: JsonObject[]) => generateTypes(definitionsIn(objects));
const widget = (openAPIV3Schema: JsonObject) => generate(widgetDefinition(openAPIV3Schema));
const field = (schema: JsonObject): string | undefined =>
  /readonly x\??: (.*);/.exec(widget({ type: 'object', properties: { x: schema } }))?.[1];

describe('types of definitions', () => {
  it('enumerations are unions of literals, where all are scalars', () => {
    assert.equal(
      field({ type: 'string', enum: ["it's", '"', '\\', '\n', '\u2028'] }),
      `'it\\'s' | '"' | '\\\\' | '\\n' | '\\u2028'`,
    );
    assert.equal(field({ type: 'integer', enum: [1, -2, 1] }), '1 | -2');
    assert.equal(field({ type: 'string', nullable: true, enum: ['a', null] }), "'a' | null");
    assert.equal(field({ type: 'string', allOf: [{ enum: ['a', 'b'] }, { enum: ['a'] }] }), "'a' | 'b'");
    assert.equal(
      field({ type: 'object', enum: [{}], additionalProperties: { type: 'string' } }),
      '{ readonly [key: string]: string }',
    );
    assert.equal(field({ type: 'integer', enum: [2n ** 60n] }), 'number');
  });

  it('depend neither on the order of definitions, nor of fields, nor on the form they come in', () => {
    const gadgets = { names: { kind: 'Gadget', plural: 'gadgets' }, scope: 'Cluster' };
    const [a, b] = [widgetDefinition({ type: 'object' }), widgetDefinition({ type: 'object' }, gadgets)];
    const text = generate(a, b);
    assert.equal(generate(b, a), text);
    const { apiVersion: _, kind: __, ...bare } = a;
    const typed = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinitionList', items: [b, bare] };
    assert.equal(generate(typed), text);
    assert.equal(generate({ apiVersion: 'v1', kind: 'List', items: [{ kind: 'Pod' }, a, b] }), text);
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    assert.equal(
      widget({ type: 'object', properties: { b: properties.b, a: properties.a } }),
      widget({ type: 'object', properties }),
    );
  });

  it('kinds that share a name and version are told apart by their groups', () => {
    const other = widgetDefinition({ type: 'object' }, { group: 'gateway.example.org' });
    const names = generate(widgetDefinition({ type: 'object' }), other).match(/(?<=export const )\w+/g);
    assert.deepEqual(names, ['ExampleComWidgetV1', 'GatewayExampleOrgWidgetV1']);
  });

  it('fields whose names come out alike have types of different names', () => {
    const inner = (type: string) => ({ type: 'object', properties: { inner: { type } } });
    const names = widget({
      type: 'object',
      properties: { 'a-b': inner('string'), aB: inner('number'), list: inner('boolean'), 名: inner('array') },
    }).match(/(?<=export interface )\w+/g);
    assert.deepEqual(names, ['WidgetV1', 'WidgetV1AB', 'WidgetV1AB_2', 'WidgetV1List_2', 'WidgetV1_2', 'WidgetV1List']);
  });

  it('nothing in a definition ends a comment or speaks to the compiler', () => {
    const text = widget({
      type: 'object',
      description: '@ts-ignore',
      properties: {
        a: { type: 'string', description: '*/ evil(); /*' },
        b: { type: 'string', description: 'x\r\n * @ts-expect-error\u2028{@link y}\u0000' },
        'c;d"\'': { type: 'string' },
      },
    });
    assert.match(text, /\/\*\* \\@ts-ignore \*\//);
    assert.match(text, /\/\*\* \*\\\/ evil\(\); \/\* \*\//);
    assert.match(text, / {3}\* x\n {3}\* {2}\* \\@ts-expect-error\n {3}\* \{\\@link y\}\n {3}\*\//);
    assert.match(text, /readonly 'c;d"\\''\?: string;/);
  });

  it('long descriptions are broken between words', () => {
    const text = widget({ type: 'object', description: `${'word '.repeat(50)}${'x'.repeat(200)}` });
    const lines = text.split('\n').filter((line) => line.startsWith(' * '));
    assert.ok(
      lines.slice(0, -1).every((line) => line.length <= 103),
      text,
    );
    assert.equal(lines.at(-1), ` * ${'x'.repeat(200)}`);
  });

  it('keys that every JavaScript object has are fields like others', () => {
    const properties = parseJson('{"__proto__": {"type": "string"}, "constructor": {"type": "number"}}').value;
    assert.match(
      widget({ type: 'object', properties }),
      /readonly __proto__\?: string;\n {2}readonly constructor\?: number;/,
    );
  });

  it('what nests too deep is refused, and what doubles at every level is written once', () => {
    const nest = (levels: number, wrap: (inner: JsonObject) => JsonObject): JsonObject => {
      let schema: JsonObject = { type: 'string' };
      for (let level = 0; level < levels; level++) schema = wrap(schema);
      return schema;
    };
    const object = (properties: { [name: string]: JsonValue }): JsonObject => ({ type: 'object', properties });
    assert.throws(
      () => widget(nest(200, (x) => object({ x }))),
      /^DefinitionError: widgets.example.com v1: nested deeper than 100/,
    );
    assert.throws(() => field(nest(200, (items) => ({ type: 'array', items }))), /nested deeper/);
    assert.throws(() => widget(nest(40, (x) => object({ x, y: x }))), /v1: more than 200000 fields/);
    assert.equal(widget(nest(10, (x) => object({ x, y: x }))).match(/export interface/g)?.length, 11);
  });

  it('tell which definition lacks something', () => {
    const refused = (definition: JsonObject, pattern: RegExp) =>
      assert.throws(() => definitionsIn([definition]), pattern);
    refused(widgetDefinition({}, { group: '' }), /"widgets.example.com" lacks its spec.group/);
    refused(widgetDefinition({}, { versions: [{ served: true }] }), /widgets.example.com has a version without a name/);
    refused({ ...widgetDefinition({}), apiVersion: 'apiextensions.k8s.io/v1beta1' }, /is defined in .*v1beta1; only/);
    refused({ kind: 'List', items: [widgetDefinition({}), widgetDefinition({})] }, /defined twice/);
    assert.throws(
      () => parseDocuments('a.yaml', 'a: b\n---\na: {{ b }}\n'),
      /^DefinitionError: a.yaml: document 2: yaml: /,
    );
    assert.throws(() => parseDocuments('a.yaml', '[]'), /a.yaml: document 1 is not an object/);
    assert.deepEqual(parseDocuments('a.yaml', '---\n# nothing\n---\n{"a": "---"}\n--- # b\nb: |\n  x\n  ---\n'), [
      { a: '---' },
      { b: 'x\n---\n' },
    ]);
  });
});

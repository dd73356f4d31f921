import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, type JsonValue, parseJson } from '@binnacle/apimachinery/json';
import { definitionsIn, generateTypes, parseDocuments } from './index.js';
import { widgetDefinition } from './definition.testing.js';

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

  it('are independent of the order of definitions and fields, and of the input format', () => {
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

  it('kinds that share a name and version are distinguished by group', () => {
    const other = widgetDefinition({ type: 'object' }, { group: 'gateway.example.org' });
    const names = generate(widgetDefinition({ type: 'object' }), other).match(/(?<=export const )\w+/g);
    assert.deepEqual(names, ['ExampleComWidgetV1', 'GatewayExampleOrgWidgetV1']);
  });

  it('fields with colliding names have types with different names', () => {
    const inner = (type: string) => ({ type: 'object', properties: { inner: { type } } });
    const names = widget({
      type: 'object',
      properties: { 'a-b': inner('string'), aB: inner('number'), list: inner('boolean'), 名: inner('array') },
    }).match(/(?<=export interface )\w+/g);
    assert.deepEqual(names, ['WidgetV1', 'WidgetV1AB', 'WidgetV1AB_2', 'WidgetV1List_2', 'WidgetV1_2', 'WidgetV1List']);
  });

  it('no text in a definition ends a comment or directs the compiler', () => {
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

  it('long descriptions are wrapped between words', () => {
    const text = widget({ type: 'object', description: `${'word '.repeat(50)}${'x'.repeat(200)}` });
    const lines = text.split('\n').filter((line) => line.startsWith(' * '));
    assert.ok(
      lines.slice(0, -1).every((line) => line.length <= 103),
      text,
    );
    assert.equal(lines.at(-1), ` * ${'x'.repeat(200)}`);
  });

  it('keys that every JavaScript object inherits are ordinary fields', () => {
    const properties = parseJson('{"__proto__": {"type": "string"}, "constructor": {"type": "number"}}').value;
    assert.match(
      widget({ type: 'object', properties }),
      /readonly __proto__\?: string;\n {2}readonly constructor\?: number;/,
    );
  });

  it('schemas that nest too deeply are refused, and shapes that double at every level are written once', () => {
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

  it('errors name the incomplete definition', () => {
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

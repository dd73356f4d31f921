import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { definitionsIn, generateTypes } from './index.js';
import { widgetDefinition } from './definition.testing.js';

const here = dirname(fileURLToPath(import.meta.url));
const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));

const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  declaration: true,
  noEmit: true,
};

const spec: JsonObject = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'string', enum: ['small', 'large'] },
    port: { 'x-kubernetes-int-or-string': true },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    parts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
    settings: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    empty: { type: 'object' },
  },
};

/** Names and descriptions that could break out of their place in the source. */
const hostileNames = [
  'readonly',
  'new',
  'get',
  'constructor',
  '__proto__',
  'default',
  'in',
  'a-b',
  '1',
  '',
  "'",
  '\\',
  '*/',
  '//',
  '\n',
  '\u2028',
  '\ud800',
  '`',
  '${x}',
  'ñ',
  '[key: string]: never',
];
const hostile: JsonObject = {
  type: 'object',
  description: '*/ syntax error /*',
  properties: Object.fromEntries(
    hostileNames.map((name) => [
      name,
      {
        type: 'object',
        description: `@ts-expect-error ${name}`,
        properties: { [name]: { type: 'string', enum: [name] } },
      },
    ]),
  ),
};

const use = (line: string) => `
import { type Mutable, mutableCopy, type ResourceType, type TypedObject } from '@binnacle/client/typed';
import { WidgetV1, type WidgetV1List, type WidgetV1Spec } from './types.js';
declare function get<T extends TypedObject>(type: ResourceType<T>): T;
declare const list: WidgetV1List;
export const widget: WidgetV1 = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 'small' } };
export const spec: WidgetV1Spec | undefined = get(WidgetV1).spec;
export const copy: Mutable<WidgetV1> = mutableCopy(widget);
export const used: readonly unknown[] = [list, WidgetV1];
${line}
`;

const right = [
  "export const line: WidgetV1 = { ...widget, spec: { size: 'large', port: 'http', parts: [{ name: 'a' }] } };",
  'export const line: WidgetV1Spec = { size: "small", port: 80, labels: { a: "b" }, settings: { a: [1] }, empty: {} };',
  'export const line: string | undefined = list.items[0]?.spec?.parts?.[0]?.name;',
  "if (copy.spec !== undefined) copy.spec.size = 'large';",
  "copy.metadata.finalizers = ['a']; copy.metadata.finalizers.push('b');",
];

const wrong: readonly (readonly [line: string, code: string])[] = [
  ["export const line: WidgetV1Spec = { size: 'medium' };", 'TS2322'],
  ['export const line: WidgetV1Spec = {};', 'TS2741'],
  ["export const line: WidgetV1Spec = { size: 'small', port: true };", 'TS2322'],
  ["export const line: WidgetV1Spec = { size: 'small', labels: { a: 1 } };", 'TS2322'],
  ["export const line: WidgetV1Spec = { size: 'small', empty: { a: 1 } };", 'TS2322'],
  ["export const line: WidgetV1Spec = { size: 'small', colour: 'red' };", 'TS2353'],
  ["export const line: WidgetV1 = { ...widget, kind: 'Gadget' };", 'TS2322'],
  ['export const line: number = get(WidgetV1).spec?.size;', 'TS2322'],
  ["if (widget.spec !== undefined) widget.spec.size = 'large';", 'TS2540'],
  ["widget.metadata.finalizers?.push('b');", 'TS2339'],
];

describe('types of definitions, compiled', () => {
  let directory = '';
  before(() => {
    // In the package, so that the compiler finds the client.
    directory = mkdtempSync(join(here, 'compile-'));
  });
  after(() => rmSync(directory, { recursive: true }));

  it('accept correct programs and reject wrong ones', { timeout: 600_000 }, () => {
    const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
    const generate = (schema: JsonObject) => generateTypes(definitionsIn([widgetDefinition(schema)]));
    write('package.json', '{ "type": "module" }');
    write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    write('types.ts', generate({ type: 'object', properties: { spec } }));
    write('hostile.ts', generate(hostile));
    right.forEach((line, index) => write(`right-${index}.ts`, use(line)));
    wrong.forEach(([line], index) => write(`wrong-${index}.ts`, use(line)));

    const { stdout, status } = spawnSync(process.execPath, [compiler, '--pretty', 'false', '-p', directory], {
      encoding: 'utf8',
      cwd: directory,
    });
    assert.notEqual(status, 0);
    const found = new Map<string, string[]>();
    for (const [, file = '', code = ''] of stdout.matchAll(/^([^\s(]+)\(\d+,\d+\): error (TS\d+)/gm)) {
      found.set(file, [...(found.get(file) ?? []), code]);
    }
    const expected = new Map(wrong.map(([, code], index) => [`wrong-${index}.ts`, [code]]));
    assert.deepEqual(found, expected, stdout);
  });
});

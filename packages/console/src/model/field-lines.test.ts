import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import { parseYaml, stringifyYaml } from '@binnacle/apimachinery/yaml';
import { ownedFields } from './index.js';

const entry = (manager: string, fieldsV1: JsonObject, operation = 'Update'): JsonObject => ({
  manager,
  operation,
  fieldsV1,
});

/** `text <- managers`. */
const lines = (object: JsonObject, ...managedFields: readonly JsonObject[]): string[] => {
  const { owners, lines: found } = ownedFields({
    ...object,
    metadata: { name: 'a', managedFields: [...managedFields] },
  });
  return found
    .filter(({ text }) => !/^(metadata:| {2}name: a)$/.test(text))
    .map(({ text, owners: own }) => `${text} <- ${own.map((index) => owners[index]?.manager).join(' ')}`);
};

describe('the owners of fields', () => {
  it('own leaves, and maps as members', () => {
    assert.deepEqual(
      lines(
        { spec: { replicas: 3, selector: { app: 'web' } } },
        entry('kubectl', { 'f:spec': { 'f:selector': { '.': {}, 'f:app': {} } } }),
        entry('hpa', { 'f:spec': { 'f:replicas': {} } }),
      ),
      ['spec: <- ', '  replicas: 3 <- hpa', '  selector: <- kubectl', '    app: web <- kubectl'],
    );
  });

  it('own fields together', () => {
    const both = { 'f:spec': { 'f:replicas': {} } };
    assert.deepEqual(lines({ spec: { replicas: 3 } }, entry('a', both, 'Apply'), entry('b', both, 'Apply')), [
      'spec: <- ',
      '  replicas: 3 <- a b',
    ]);
  });

  it('own whatever is below an atomic field', () => {
    assert.deepEqual(lines({ spec: { tls: { a: { b: 1 }, c: [1] } } }, entry('a', { 'f:spec': { 'f:tls': {} } })), [
      'spec: <- ',
      '  tls: <- a',
      '    a: <- a',
      '      b: 1 <- a',
      '    c: <- a',
      '    - 1 <- a',
    ]);
  });

  it('own items of lists by key, by value and by index', () => {
    assert.deepEqual(
      lines(
        {
          c: [
            { name: 'app', image: 'x' },
            { name: 'proxy', image: 'z' },
          ],
          f: ['one', 'two'],
          p: [{ port: 80 }],
        },
        entry('a', {
          'f:c': { 'k:{"name":"app"}': { '.': {}, 'f:image': {}, 'f:name': {} } },
          'f:f': { 'v:"two"': {} },
        }),
        entry('b', {
          'f:c': { 'k:{"name":"proxy"}': { 'f:image': {} } },
          'f:p': { 'k:{"port":80,"protocol":"TCP"}': { 'f:port': {} } },
        }),
        entry('c', { 'f:f': { 'i:0': {} } }),
      ),
      [
        'c: <- ',
        '- image: x <- a',
        '  name: app <- a',
        '- image: z <- b',
        '  name: proxy <- ',
        'f: <- ',
        '- one <- c',
        '- two <- a',
        'p: <- ',
        '- port: 80 <- b',
      ],
    );
  });

  it('own all lines of a text', () => {
    assert.deepEqual(lines({ data: { key: 'one\ntwo\n' } }, entry('a', { 'f:data': { 'f:key': {} } })), [
      'data: <- ',
      '  key: | <- a',
      '    one <- a',
      '    two <- a',
    ]);
  });

  it('are ignored where they cannot be read', () => {
    assert.deepEqual(lines({ a: [1] }, entry('x', { 'f:a': { 'k:{': {}, 'v:{': {}, x: {} } }), { fieldsV1: 'text' }), [
      'a: <- ',
      '- 1 <- ',
    ]);
    assert.deepEqual(ownedFields({ a: 1 }).owners, []);
  });

  it('stand on lines that are the object, for random objects', () => {
    const key = fc.oneof(
      fc.constantFrom('a', 'yes', 'x.y/z', '', '__proto__', '12', 'a: b'),
      fc.string({ maxLength: 6 }),
    );
    const { value } = fc.letrec<{ value: JsonValue; map: JsonObject }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<JsonValue>(
          null,
          true,
          1,
          -0.5,
          '',
          'yes',
          '012',
          'a: b',
          '- x',
          'one\ntwo',
          ' x ',
          'long '.repeat(30),
        ),
        fc.string(),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('map'),
      ),
      map: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(value, (spec) => {
        const object = { kind: 'A', metadata: { name: 'a' }, spec };
        const text = ownedFields(object)
          .lines.map((line) => `${line.text}\n`)
          .join('');
        assert.deepEqual(parseYaml(text).value, parseYaml(stringifyYaml(object)).value, text);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resolveRuntimeConfig } from '@binnacle/api/table';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { finish } from '@binnacle/apimachinery/work';
import { loadDescriptions } from './descriptions.js';
import { encodeOpenApiV3 } from './gnostic/gnostic-v3.js';
import { documentsOf } from './paths.js';
import { readRemoteV2 } from './remote-v2.js';
import { servedOpenApiSource } from './source.js';
import { openApiV2 } from './v2.js';
import { openApiV3FromV2 } from './v3-from-v2.js';
import { openApiV3, ownDocument } from './v3.js';

const info = { title: 'T', version: 'v' };

function converted(document: JsonObject, prefix: string): JsonObject {
  const part = finish(readRemoteV2({ swagger: '2.0', info, ...document }, prefix));
  assert.ok(part);
  return finish(openApiV3FromV2(part));
}

describe('a v3 document made from a v2 document', () => {
  it('has the paths that the server itself would write, and can be encoded as protobuf', () => {
    const source = servedOpenApiSource(resolveRuntimeConfig(undefined));
    const facts = documentsOf(source).get('apis/batch/v1');
    assert.ok(facts);
    const descriptions = loadDescriptions();
    const v2 = finish(openApiV2(facts.paths(), source, descriptions, 'v'));
    const v3 = finish(openApiV3(facts.paths(), source, descriptions, ownDocument('v')));
    const made = converted(v2, '/apis/batch/v1/');
    assert.ok(Object.keys(made['paths'] ?? {}).length > 5);
    assert.deepEqual(made['paths'], v3['paths']);
    assert.deepEqual(Object.keys(schemasOf(made)).sort(), Object.keys(schemasOf(v3)).sort());
    assert.ok(encodeOpenApiV3(made).length > 0);
  });

  it('refers to schemas of components, and wraps references with siblings', () => {
    const ref = { $ref: '#/definitions/B' };
    const A = {
      type: 'object',
      properties: { b: ref, $ref: { description: 'a property of this name', ...ref }, list: { items: ref } },
      additionalProperties: ref,
      'x-kubernetes-group-version-kind': [{ group: 'g', version: 'v', kind: 'A' }],
    };
    const B = { type: 'object', additionalProperties: true };
    const get = { responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/A' } }, 401: {} } };
    const paths = { '/p': { get: { produces: ['a/b'], ...get } } };
    const to = { $ref: '#/components/schemas/B' };
    assert.deepEqual(converted({ paths, definitions: { A, B } }, '/'), {
      openapi: '3.0.0',
      info,
      paths: {
        '/p': {
          get: {
            responses: {
              200: { description: 'OK', content: { 'a/b': { schema: { $ref: '#/components/schemas/A' } } } },
              401: {},
            },
          },
        },
      },
      components: {
        schemas: {
          A: {
            ...A,
            properties: { b: to, $ref: { description: 'a property of this name', allOf: [to] }, list: { items: to } },
            additionalProperties: to,
          },
          B,
        },
      },
    });
  });

  it('keeps to what has the right type', () => {
    const paths = {
      '/p': { get: 7, put: { parameters: 'x', consumes: 7, responses: [] }, parameters: [null, 'x', {}] },
    };
    assert.deepEqual(converted({ paths, definitions: { A: 7 } }, '/')['paths'], {
      '/p': { put: { responses: {} }, parameters: [{ schema: {} }] },
    });
  });
});

function schemasOf(document: JsonObject): object {
  const { components } = document;
  assert.ok(typeof components === 'object' && components !== null && 'schemas' in components);
  assert.ok(typeof components.schemas === 'object' && components.schemas !== null);
  return components.schemas;
}

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import { resolveRuntimeConfig } from '@binnacle/api/table';
import { SERIALIZERS_WITH_CBOR } from '@binnacle/apimachinery/serializer';
import type { Descriptions } from './descriptions.js';
import { documentsOf } from './paths.js';
import { servedOpenApiSource } from './source.js';
import { openApiV2 } from './v2.js';

const facts = new URL('../../../api/facts/', import.meta.url);

const silent: Descriptions = { ofType: () => undefined, ofField: () => undefined };

const readFacts = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(name, facts), 'utf8')) as Record<string, unknown>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Without descriptions. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key, item]) => key !== 'description' || typeof item !== 'string');
  return Object.fromEntries(kept.map(([key, item]) => [key, comparable(item)]));
}

/** Removes defaults and enums, which v2 lacks, but not properties with these names. */
function withoutV3Facts(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([key, item]) => key !== 'default' && !(key === 'enum' && Array.isArray(item)),
  );
  return Object.fromEntries(
    kept.map(([key, item]) => {
      if (key === 'properties' && isRecord(item)) {
        return [key, Object.fromEntries(Object.entries(item).map(([name, each]) => [name, withoutV3Facts(each)]))];
      }
      return [key, withoutV3Facts(item)];
    }),
  );
}

test('paths, parameters and definitions of v2 match the facts', () => {
  // The facts come from a server with all features on.
  const source = servedOpenApiSource(resolveRuntimeConfig('api/all=true'), SERIALIZERS_WITH_CBOR);
  const paths = [...documentsOf(source).values()].flatMap((group) => [...group.paths()]);
  const document = finish(openApiV2(paths, source, silent, ''));
  const expected = readFacts('paths.json');
  const expectedPaths = expected['paths'];
  const expectedParameters = expected['parameters'];
  assert.ok(isRecord(expectedPaths) && isRecord(expectedParameters));
  // This server does not serve the logs of its node.
  delete expectedPaths['/logs/'];
  delete expectedPaths['/logs/{logpath}'];
  delete expectedParameters['logpath-Noq7euwC'];
  assert.deepEqual(comparable(document['paths']), comparable(expectedPaths));
  assert.deepEqual(comparable(document['parameters']), comparable(expectedParameters));
  const definitions = readFacts('types.json')['definitions'];
  assert.ok(isRecord(definitions));
  const expectedDefinitions = Object.entries(definitions).map(([name, each]) => [name, withoutV3Facts(each)]);
  assert.deepEqual(comparable(document['definitions']), comparable(Object.fromEntries(expectedDefinitions)));
});

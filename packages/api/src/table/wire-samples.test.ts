import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '@binnacle/apimachinery/json';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { decodeTyped, encodeTyped } from '@binnacle/apimachinery/serializer';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { noUpstreamSamples, readSample, upstreamSamples } from '../testing/index.js';
import { kindSchema } from './kinds.js';

/**
 * Upstream's samples of every kind with each field set, as JSON and as YAML. Decoding and encoding must not change
 * them.
 */
const skip = noUpstreamSamples;

interface Sample {
  readonly name: string;
  readonly schema: StructSchema;
  readonly json: JsonObject;
}

function samples(): Sample[] {
  return upstreamSamples().map((kind) => {
    const { name } = kind;
    const schema = kindSchema(kind);
    const json = parseJson(readSample(name, 'json')).value;
    assert.ok(isObject(json));
    assert.ok(schema, `${name}: the table does not have the kind`);
    return { name, schema, json };
  });
}

const sorted = (value: JsonValue): string => stringifyJson(value, { sortKeys: true });

test('JSON samples round-trip unchanged', { skip }, () => {
  const all = samples();
  assert.ok(all.length >= 189);
  for (const { name, schema, json } of all) {
    const { object, strictErrors } = decodeTyped(json, schema);
    assert.deepEqual(strictErrors, [], name);
    const { value } = parseJson(encodeTyped(object, schema));
    assert.equal(sorted(value), sorted(json), name);
  }
});

test('YAML samples decode to the same objects', { skip }, () => {
  for (const { name, schema, json } of samples()) {
    const { value } = parseYaml(readSample(name, 'yaml').toString());
    assert.ok(isObject(value), name);
    const { object } = decodeTyped(value, schema);
    const written = parseJson(encodeTyped(object, schema)).value;
    assert.equal(sorted(written), sorted(json), name);
  }
});

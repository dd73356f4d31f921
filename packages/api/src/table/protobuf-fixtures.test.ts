import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  readJson,
  stringifyJson,
} from '@binnacle/apimachinery/json';
import { decodeProtobuf, encodeProtobuf, readEnvelope, wrapEnvelope } from '@binnacle/apimachinery/protobuf';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { DecodeError, decodeTyped, encodeTyped } from '@binnacle/apimachinery/serializer';
import * as fc from 'fast-check';
import { noUpstreamSamples, readSample, type UpstreamSample, upstreamSamples } from '../testing/index.js';
import { kindSchema } from './kinds.js';
import { resources } from './resources.js';

const skip = noUpstreamSamples;

const API_SERVICE = 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService';

/** Upstream's bytes of one object, their parts, and the object in JSON. */
interface Sample {
  readonly name: string;
  readonly schema: StructSchema;
  readonly bytes: Buffer;
  readonly apiVersion: string;
  readonly kind: string;
  readonly message: Uint8Array;
  readonly json: JsonObject;
}

const samples = (): readonly Sample[] => upstreamSamples().map(load);

function load(sample: UpstreamSample): Sample {
  const { name } = sample;
  const schema = kindSchema(sample);
  assert.ok(schema, `${name}: the table does not have the kind`);
  const bytes = readSample(name, 'pb');
  const { apiVersion, kind, raw } = readEnvelope(bytes);
  const json = parseJson(readSample(name, 'json')).value;
  assert.ok(isObject(json));
  return { name, schema, bytes, apiVersion, kind, message: raw, json };
}

function decode({ apiVersion, kind, message, schema }: Sample): JsonObject {
  const object = decodeProtobuf(message, schema);
  return kind === '' ? object : { kind, apiVersion, ...object };
}

function encode({ apiVersion, kind, schema }: Sample, object: JsonObject): Buffer {
  return Buffer.from(wrapEnvelope(apiVersion, kind, encodeProtobuf(object, schema)));
}

/** How many characters and values one byte may decode to: a time of two bytes becomes a text of twenty. */
const VALUES_A_BYTE = 16;

/** Counts the values inside a value and the characters of its texts, a rough measure of its memory. */
function sizeOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return 1 + value.length;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 1);
}

const sorted = (value: JsonValue): string => stringifyJson(value, { sortKeys: true });

test('every resource of the table has a sample', { skip }, () => {
  const sampled = new Set(samples().map(({ schema }) => schema.name));
  assert.ok(sampled.size >= 180);
  const missing = resources().filter((resource) => !sampled.has(resource.definition));
  // Upstream has no sample of APIService.
  assert.deepEqual(new Set(missing.map((resource) => resource.definition)), new Set([API_SERVICE]));
});

test('samples decode and encode to the same bytes', { skip }, () => {
  for (const sample of samples()) assert.ok(encode(sample, decode(sample)).equals(sample.bytes), sample.name);
});

test('samples decode to the objects in their JSON', { skip }, () => {
  for (const sample of samples()) {
    assert.deepEqual(decode(sample), decodeTyped(sample.json, sample.schema).object, sample.name);
  }
});

test('decoded samples are written in JSON as upstream writes them', { skip }, () => {
  for (const sample of samples()) {
    const { value } = parseJson(encodeTyped(decode(sample), sample.schema));
    assert.equal(sorted(value), sorted(sample.json), sample.name);
  }
});

test('samples encode from their JSON to the same bytes', { skip }, () => {
  for (const sample of samples()) {
    const { object } = decodeTyped(sample.json, sample.schema);
    assert.ok(encode(sample, object).equals(sample.bytes), sample.name);
  }
});

test('samples decode with explicit zeros to their JSON', { skip }, () => {
  for (const { name, message, kind, apiVersion, schema, json } of samples()) {
    const object = decodeProtobuf(message, schema, { showZeros: true });
    assert.deepEqual(kind === '' ? object : { kind, apiVersion, ...object }, json, name);
    const empty = decodeProtobuf(new Uint8Array(), schema, { showZeros: true });
    assert.deepEqual(empty, readJson(encodeTyped({}, schema)), name);
  }
});

test('damaged samples decode to an encodable object of bounded size, or fail with a declared error', {
  skip,
}, () => {
  const known = samples();
  const damage = fc.record({
    sample: fc.constantFrom(...known),
    end: fc.double({ min: 0, max: 1, noNaN: true }),
    changes: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(damage, ({ sample, end, changes }) => {
      const bytes = Buffer.from(
        sample.bytes.subarray(0, end > 0.5 ? undefined : Math.floor(end * 2 * sample.bytes.length)),
      );
      for (const [at, byte] of changes) bytes[Math.floor(at * bytes.length)] = byte;
      try {
        const object = decodeProtobuf(readEnvelope(bytes).raw, sample.schema);
        assert.ok(sizeOf(object) <= 1 + VALUES_A_BYTE * bytes.length, 'in proportion to its bytes');
        const again = decodeProtobuf(encodeProtobuf(object, sample.schema), sample.schema);
        assert.deepEqual(again, object);
        const shown = decodeProtobuf(readEnvelope(bytes).raw, sample.schema, { showZeros: true });
        assert.deepEqual(shown, readJson(encodeTyped(object, sample.schema)));
      } catch (error) {
        assert.ok(error instanceof DecodeError, String(error instanceof Error ? error.stack : error));
      }
    }),
    { numRuns: 2000 },
  );
});

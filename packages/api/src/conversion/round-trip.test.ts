import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { decodeTyped, encodeTypedText } from '@binnacle/apimachinery/serializer';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import { kindSchema, resources } from '../table/index.js';
import { noUpstreamSamples, readSample, upstreamSamples } from '../testing/index.js';
import { canConvert, convert } from './convert.js';

/** Upstream's sample of a kind, with every field set, decoded with the kind's schema. */
function sampleOf(kind: GroupVersionKind): JsonObject | undefined {
  const sample = upstreamSamples().find(
    ({ group, version, kind: name }) => group === kind.group && version === kind.version && name === kind.kind,
  );
  if (sample === undefined) return undefined;
  return typed(parseJson(readSample(sample.name, 'json')).value as JsonObject, kind);
}

function typed(object: JsonObject, kind: GroupVersionKind): JsonObject {
  const schema = kindSchema(kind);
  assert.ok(schema, kind.kind);
  const { object: decoded } = decodeTyped(object, schema);
  const { value } = parseJson(encodeTypedText(decoded, schema));
  assert.ok(isObject(value));
  return value;
}

describe('conversions of upstream samples', { skip: noUpstreamSamples }, () => {
  for (const from of resources()) {
    for (const to of resources()) {
      if (from.kind !== to.kind || from === to || !canConvert(from, to) || !canConvert(to, from)) continue;
      const sample = sampleOf(from);
      if (sample === undefined) continue;
      // The sample is not a valid autoscaler: its metric has an unknown type and all sources at once. `convert.test.ts`
      // covers autoscalers.
      if (from.kind === 'HorizontalPodAutoscaler') continue;
      it(`${from.group}/${from.version} ${from.kind} survives a round trip through ${to.group}/${to.version}`, () => {
        const there = typed(convert(sample, from, to), to);
        assert.deepEqual(typed(convert(there, to, from), from), sample);
      });
    }
  }
});

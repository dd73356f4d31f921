import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { applyConfiguration, VersionError } from '@binnacle/apimachinery/managedfields';
import { StatusError } from '@binnacle/apimachinery/status';
import { compileSchema } from '@binnacle/apimachinery/structural';
import { CustomCodec } from './custom-codec.js';
import { CustomVersions } from './custom-versions.js';

const kind = { group: 'example.com', version: 'v1', kind: 'Thing' };

function codecOf(spec: JsonObject): CustomCodec {
  return new CustomCodec({
    groupVersionKind: kind,
    schema: compileSchema({ type: 'object', properties: { spec } }),
    definition: 'com.example.v1.Thing',
    preserveUnknownFields: false,
  });
}

/** The fields of the spec that its apply owns, or the refusal. */
function ownedSpec(schema: JsonObject, spec: JsonValue): unknown {
  try {
    const { managedFields } = applyConfiguration({
      live: undefined,
      configuration: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec },
      kind,
      schema: codecOf(schema).schema,
      manager: 'm',
      subresource: '',
      force: false,
      now: '2026-01-01T00:00:00Z',
      convert: () => undefined,
    });
    const fields = managedFields?.[0]?.fieldsV1;
    return isObject(fields) ? fields['f:spec'] : undefined;
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return error.message.replace(/^.*\): /, '');
  }
}

const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
const text = { type: 'string' };

describe('apply to a custom resource', () => {
  it('refuses fields that its schema does not declare', () => {
    const schema = { type: 'object', properties: { a: text } };
    assert.equal(ownedSpec(schema, { a: '1', b: '2' }), '.spec.b: field not declared in schema');
  });

  it('keeps fields that the schema preserves, with everything below them', () => {
    const inner = { type: 'object', properties: { b: text } };
    const schema = { ...preserve, type: 'object', properties: { a: text, inner } };
    assert.deepEqual(ownedSpec(schema, { a: '1', inner: { b: '2', c: { d: 3 } }, other: { e: [4] } }), {
      'f:a': {},
      'f:inner': { 'f:b': {}, 'f:c': { '.': {}, 'f:d': {} } },
      'f:other': { '.': {}, 'f:e': {} },
    });
    assert.match(String(ownedSpec(schema, { a: 1 })), /^\.spec\.a: expected string/);
  });

  it('accepts any value of a property without a type, and owns it as a whole', () => {
    const schema = { type: 'object', properties: { any: preserve, port: { 'x-kubernetes-int-or-string': true } } };
    assert.deepEqual(ownedSpec(schema, { any: { a: { b: 1 } }, port: 80 }), {
      'f:any': { 'f:a': { '.': {}, 'f:b': {} } },
      'f:port': {},
    });
    assert.deepEqual(ownedSpec(schema, { any: [1], port: 'http' }), { 'f:any': {}, 'f:port': {} });
    assert.equal(ownedSpec(schema, { other: 1 }), '.spec.other: field not declared in schema');
  });

  it('fails when a manager has a version that no longer exists', () => {
    const codec = codecOf({ ...preserve, type: 'object' });
    const versions = new CustomVersions({
      storage: codec,
      versions: new Map([[codec.apiVersion, codec]]),
      selectableFields: () => ({}),
    });
    const { object } = codec.decode({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } });
    assert.throws(
      () => versions.inVersion(object, 'example.com/v0'),
      new VersionError('request to convert CR to an invalid group/version: example.com/v0'),
    );
  });
});

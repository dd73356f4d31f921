import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { isObject, type JsonObject, type JsonValue, parseJson } from '@binnacle/apimachinery/json';
import { applyMergePatch, applyStrategicMergePatch, PatchConflictError } from '@binnacle/apimachinery/patch';
import type { FieldSchema, StructSchema, ValueSchema } from '@binnacle/apimachinery/schema';
import { conflict, notFound } from '@binnacle/apimachinery/status';
import { type ApplyOptions, type ApplyTransport, applyObject, LAST_APPLIED_ANNOTATION, lastApplied } from './index.js';

const text: ValueSchema = { kind: 'string', goType: 'string' };
const texts: ValueSchema = { kind: 'map', values: text };
const field = (name: string, value: ValueSchema): FieldSchema => ({
  name,
  value,
  required: false,
  omitEmpty: true,
  omitZero: false,
  pointer: false,
});
const struct = (name: string, fields: readonly FieldSchema[]): StructSchema => ({
  name,
  goName: name,
  fields,
  byName: new Map(fields.map((each) => [each.name, each])),
});
const meta = struct('ObjectMeta', [field('name', text), field('annotations', texts), field('labels', texts)]);
const schema = struct('Thing', [field('metadata', { kind: 'struct', type: meta }), field('data', texts)]);

const resource = { group: 'example.com', version: 'v1', resource: 'things' };
const thing = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'a', ...metadata },
  data,
});

/** A server of one object. `rivals` other clients write to it, one before each patch. */
class OneObjectServer implements ApplyTransport {
  object: JsonObject | undefined;
  rivals = 0;
  readonly sent: string[] = [];
  #version = 1;

  get(): Promise<JsonObject> {
    this.sent.push('GET');
    if (this.object === undefined) return Promise.reject(notFound(resource, 'a'));
    return Promise.resolve(this.object);
  }

  create(...[, body, query]: Parameters<ApplyTransport['create']>): Promise<JsonObject> {
    this.sent.push(`POST ${query.fieldManager} ${query.fieldValidation} ${body}`);
    return this.store(parsed(body));
  }

  patch(...[, type, body]: Parameters<ApplyTransport['patch']>): Promise<JsonObject> {
    this.sent.push(`PATCH ${type} ${body}`);
    if (this.rivals > 0) {
      this.rivals--;
      return Promise.reject(conflict(resource, 'a', 'the object has been modified'));
    }
    const current = this.object ?? {};
    const patch = parsed(body);
    const { resourceVersion } = isObject(patch.metadata) ? patch.metadata : {};
    if (resourceVersion !== undefined && resourceVersion !== String(this.#version)) {
      return Promise.reject(conflict(resource, 'a', 'another version'));
    }
    const isMerge = type === 'application/merge-patch+json';
    return this.store(isMerge ? applyMergePatch(current, patch) : applyStrategicMergePatch(current, patch, schema));
  }

  store(object: JsonObject): Promise<JsonObject> {
    this.#version++;
    const metadata = isObject(object.metadata) ? object.metadata : {};
    this.object = { ...object, metadata: { ...metadata, resourceVersion: String(this.#version) } };
    return Promise.resolve(this.object);
  }
}

function parsed(body: string): JsonObject {
  const { value } = parseJson(body);
  assert.ok(isObject(value));
  return value;
}

const merge: ApplyOptions = { resource };
const strategic: ApplyOptions = { resource, schema };

describe('applyObject', () => {
  it('creates a missing object with its annotation and without nulls', async () => {
    const server = new OneObjectServer();
    const result = await applyObject(server, thing({ b: '<', a: null }, { annotations: { x: 'y' } }), {
      ...merge,
      namespace: 'n',
    });
    assert.equal(result.outcome, 'created');
    const annotation =
      '{\\"apiVersion\\":\\"example.com/v1\\",\\"data\\":{\\"a\\":null,\\"b\\":\\"\\\\u003c\\"},\\"kind\\":\\"Thing\\",' +
      '\\"metadata\\":{\\"annotations\\":{\\"x\\":\\"y\\"},\\"name\\":\\"a\\",\\"namespace\\":\\"n\\"}}\\n';
    assert.deepEqual(server.sent, [
      'GET',
      'POST kubectl-client-side-apply Strict {"apiVersion":"example.com/v1","data":{"b":"\\u003c"},"kind":"Thing",' +
        `"metadata":{"annotations":{"${LAST_APPLIED_ANNOTATION}":"${annotation}","x":"y"},"name":"a","namespace":"n"}}\n`,
    ]);
  });

  for (const [name, options] of Object.entries({ merge, strategic })) {
    it(`deletes what the file drops and keeps what others set: ${name}`, async () => {
      const server = new OneObjectServer();
      await applyObject(server, thing({ a: '1', b: '1' }), options);
      const created: JsonValue = server.object ?? null;
      assert.ok(isObject(created) && isObject(created.data));
      await server.store({ ...created, data: { ...created.data, other: '1' } });
      const { outcome, object, warnings } = await applyObject(server, thing({ a: '2' }), options);
      assert.deepEqual([outcome, object.data, warnings], ['configured', { a: '2', other: '1' }, []]);
      assert.deepEqual(lastApplied(object), thing({ a: '2' }, { annotations: {} }));
      server.sent.length = 0;
      assert.equal((await applyObject(server, thing({ a: '2' }), options)).outcome, 'unchanged');
      assert.deepEqual(server.sent, ['GET']);
    });
  }

  it('recomputes the patch after a conflict, a limited number of times', async () => {
    const server = new OneObjectServer();
    await applyObject(server, thing({}), merge);
    const clock = new VirtualClock();
    const options = { ...merge, clock };
    server.sent.length = 0;
    server.rivals = 5;
    const applied = applyObject(server, thing({ a: '1' }), options);
    await clock.advance(3999);
    assert.equal(clock.untilNext, 1);
    await clock.advance(1);
    assert.equal((await applied).outcome, 'configured');
    assert.equal(server.sent.filter((line) => line === 'GET').length, 6);
    server.rivals = 6;
    const rejected = assert.rejects(applyObject(server, thing({ a: '2' }), options), { code: 409 });
    await clock.advance(4000);
    await rejected;
    assert.equal(server.rivals, 0);
  });

  it('patches only the requested version', async () => {
    const server = new OneObjectServer();
    await applyObject(server, thing({}), merge);
    const clock = new VirtualClock();
    const options = { ...merge, resourceVersion: '2', clock };
    assert.equal((await applyObject(server, thing({}), options)).outcome, 'unchanged');
    assert.equal((await applyObject(server, thing({ a: '1' }), options)).outcome, 'configured');
    const rejected = assert.rejects(applyObject(server, thing({ a: '2' }), options), { code: 409 });
    await clock.advance(4000);
    await rejected;
  });

  it('overwrites the changes of others unless overwrite is false', async () => {
    const server = new OneObjectServer();
    await applyObject(server, thing({ a: '1' }), strategic);
    const changed = { ...server.object, data: { a: 'other' } };
    await server.store(changed);
    await assert.rejects(
      applyObject(server, thing({ a: '2' }), { ...strategic, overwrite: false }),
      PatchConflictError,
    );
    assert.deepEqual((await applyObject(server, thing({ a: '2' }), strategic)).object.data, { a: '2' });
  });

  it('warns about objects without the annotation and about terminating ones', async () => {
    const server = new OneObjectServer();
    await server.store(thing({ other: '1' }, { deletionTimestamp: '2026-01-01T00:00:00Z' }));
    const { warnings, object } = await applyObject(server, thing({ a: '1' }), merge);
    assert.match(warnings[0] ?? '', /^resource things\/a is missing the kubectl\.kubernetes\.io\/last-applied-conf/);
    assert.equal(warnings[1], 'Detected changes to resource a which is currently being deleted.');
    assert.deepEqual(object.data, { other: '1', a: '1' });
  });

  it('rejects manifests and objects that it cannot apply', async () => {
    const server = new OneObjectServer();
    await assert.rejects(applyObject(server, { kind: 'Thing' }, merge), { message: 'resource name may not be empty' });
    await server.store(thing({}, { annotations: { [LAST_APPLIED_ANNOTATION]: '{' } }));
    await assert.rejects(applyObject(server, thing({}), merge), { name: 'JsonSyntaxError' });
    await server.store({ ...thing({}), kind: 'Other' });
    await assert.rejects(applyObject(server, thing({}), merge), { name: 'PatchPreconditionError' });
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { compileSchema } from '@binnacle/apimachinery/structural';
import type { KV, ValueReader } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import { ObjectStorage } from '../storage/index.js';
import { BuiltInCodec } from './built-in-codec.js';
import { CustomCodec, CustomVersions } from './custom/index.js';
import { formFingerprint } from './form-fingerprint.js';
import { VersionSet } from './version-set.js';

const PREFIX = '/registry/configmaps/';
const COUNT = 300;
const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const schema = kindSchema(kind) ?? assert.fail('no schema');
const selectableFields = (): Record<string, string> => ({});

/** The kind with one more default. */
class NewerCodec extends BuiltInCodec {
  override applyDefaults(object: KubernetesObject): void {
    super.applyDefaults(object);
    object['immutable'] ??= true;
  }
}

function storageOf(kv: KV, codec: BuiltInCodec, code: string): ObjectStorage {
  const versions = new VersionSet({ storage: codec, versions: new Map([['v1', codec]]), selectableFields, code });
  return new ObjectStorage({ kv, codec: versions, prefix: PREFIX });
}

/** The objects that a server with this codec serves, and how many stored values it has to canonicalize. */
async function served(storage: ObjectStorage, context: TestContext) {
  const canonicalize = context.mock.method(storage.codec, 'canonicalize');
  const revision = await storage.currentRevision();
  using reader = closing(storage.openReader(revision));
  const { items } = await storage.page(PREFIX, { revision, from: PREFIX, limit: COUNT }, reader.reader);
  const listed = await storage.list(PREFIX, {});
  const objects = [...items, ...listed.items].map((object) => object.decode());
  return { objects, canonicalized: canonicalize.mock.callCount() };
}

const closing = (reader: ValueReader | undefined) => ({ reader, [Symbol.dispose]: () => reader?.close() });

const custom = (properties: object, options: { preserveUnknownFields?: boolean; version?: string } = {}) => {
  const { preserveUnknownFields = false, version = 'v1' } = options;
  const codec = new CustomCodec({
    groupVersionKind: { group: 'example.com', version, kind: 'Widget' },
    schema: compileSchema({ type: 'object', properties: { spec: { type: 'object', properties: { ...properties } } } }),
    definition: 'com.example.v1.Widget',
    preserveUnknownFields,
  });
  return new CustomVersions({ storage: codec, versions: new Map([[codec.apiVersion, codec]]), selectableFields });
};

describe('the fingerprint of a stored form', () => {
  it('makes a restart trust the whole store, and a changed default re-read all of it', async (context) => {
    await using kv = openMemoryKV();
    const storage = storageOf(kv, new BuiltInCodec(kind, schema), 'older');
    for (let index = 0; index < COUNT; index++) {
      const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: `${index}` } };
      await storage.create(`${PREFIX}default/${index}`, object);
    }
    const same = await served(storageOf(kv, new BuiltInCodec(kind, schema), 'older'), context);
    assert.deepEqual([same.objects.length, same.canonicalized], [2 * COUNT, 0]);
    assert.ok(same.objects.every((object) => object['immutable'] === undefined));
    const newer = await served(storageOf(kv, new NewerCodec(kind, schema), 'newer'), context);
    assert.deepEqual([newer.objects.length, newer.canonicalized], [2 * COUNT, 2 * COUNT]);
    assert.ok(newer.objects.every((object) => object['immutable'] === true));
  });

  it('changes with the code, the versions and the schema, and with nothing else', () => {
    const form = { schema: new Map([['a', 1n]]) };
    assert.equal(formFingerprint(form, 'code'), formFingerprint({ schema: new Map([['a', 1n]]) }, 'code'));
    const all = [
      formFingerprint(form, 'code'),
      formFingerprint(form, 'other code'),
      formFingerprint(form),
      formFingerprint({ schema: new Map([['a', 2n]]) }, 'code'),
      formFingerprint({ schema: new Map([['b', 1n]]) }, 'code'),
    ];
    assert.equal(new Set(all).size, all.length);
    for (const number of all) assert.ok(Number.isInteger(number) && number > 0 && number <= 0xffff_ffff);
  });

  it('covers everything in a definition that affects its objects', () => {
    const text = { type: 'string' };
    const sets = [
      custom({ mode: text }),
      custom({ mode: { ...text, default: 'a' } }),
      custom({ mode: { ...text, default: 'b' } }),
      custom({ mode: { ...text, nullable: true } }),
      custom({ mode: { type: 'integer' } }),
      custom({ mode: text, other: text }),
      custom({ mode: text }, { preserveUnknownFields: true }),
      custom({ mode: text }, { version: 'v2' }),
    ];
    assert.equal(new Set(sets.map(({ fingerprint }) => fingerprint)).size, sets.length);
    assert.equal(custom({ mode: text }).fingerprint, sets[0]?.fingerprint);
  });
});

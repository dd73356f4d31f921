import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, testResource } from '../testing/index.js';
import { StoredObject } from './stored-object.js';

const canonical =
  '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default","uid":"u-1","labels":{"k":"v"}},"data":{"uid":"\\",\\"uid\\":\\"x\\""}}';

function stored(revision: number, text = canonical, isCanonical = true): StoredObject {
  const { codec } = testResource().storage;
  const key = '/registry/configmaps/default/a';
  return new StoredObject({ codec, key, revision, value: Buffer.from(text), isCanonical });
}

describe('StoredObject', () => {
  it('puts its resourceVersion where upstream does', () => {
    assert.equal(stored(7).json().toString(), canonical.replace('"uid":"u-1",', '"uid":"u-1","resourceVersion":"7",'));
    assert.equal(stored(7).jsonLength, stored(7).json().length);
  });

  it('inserts it into metadata of any shape', () => {
    for (const metadata of [
      '',
      '"name":"a"',
      '"uid":"u"',
      '"name":"a","uid":"u","labels":{}',
      '"ownerReferences":[{"uid":"x"}]',
    ]) {
      const text = `{"kind":"ConfigMap","apiVersion":"v1","metadata":{${metadata}},"data":{"a":"b"}}`;
      const shown = JSON.parse(stored(7, text).json().toString()) as { metadata: object };
      const expected = JSON.parse(`{${metadata}}`) as object;
      assert.deepEqual(shown.metadata, { ...expected, resourceVersion: '7' });
      assert.equal(stored(7, text).metadataJson().toString(), JSON.stringify(shown.metadata));
      assert.equal(stored(0, text).metadataJson().toString(), `{${metadata}}`);
    }
  });

  it('has none before it is stored', () => {
    assert.equal(stored(0).json().toString(), canonical);
    assert.equal(stored(0).decode().metadata.resourceVersion, undefined);
  });

  it('leaves out kind and apiVersion in lists', () => {
    const object = stored(7);
    const bytes = Buffer.alloc(object.listItemLength);
    assert.equal(object.writeListItem(bytes, 0), bytes.length);
    const { kind: _kind, apiVersion: _version, ...item } = object.decode();
    assert.deepEqual(JSON.parse(bytes.toString()), item);
    assert.equal(bytes.toString().startsWith('{"metadata":{"name":"a"'), true);
  });

  it('decodes a new copy for every caller', () => {
    const object = stored(7);
    object.decode().metadata.name = 'changed';
    assert.equal(object.decode().metadata.name, 'a');
    assert.equal(object.decode().metadata.resourceVersion, '7');
    assert.deepEqual(object.labels, { k: 'v' });
    assert.deepEqual(object.fields, { 'metadata.name': 'a', 'metadata.namespace': 'default' });
  });

  it('keeps its content under another revision', () => {
    const gone = stored(7).withRevision(9);
    assert.equal(gone.decode().metadata.resourceVersion, '9');
    assert.equal(gone.canonical.toString(), canonical);
  });

  it('reads a foreign form, and knows that the store has that form', () => {
    const foreign = '{ "apiVersion":"v1", "kind":"ConfigMap", "data":{"a":"b"}, "metadata":{"uid":"u-1","name":"a"} }';
    const object = stored(3, foreign, false);
    const own = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","uid":"u-1"},"data":{"a":"b"}}';
    const bytes = Buffer.from(own);
    assert.equal(object.isStoredAs(bytes, bytes), false);
    assert.equal(object.canonical.toString(), own);
    assert.equal(object.isStoredAs(bytes, bytes), false);
    assert.equal(object.withRevision(4).isStoredAs(bytes, bytes), false);
    const same = stored(3, own, false);
    assert.equal(same.canonical.toString(), own);
    assert.equal(same.isStoredAs(bytes, bytes), true);
  });

  it('recognizes another encoding of the same object, whether read or written', () => {
    const codec = testResource().storage.codec;
    const bytes = Buffer.from(canonical);
    const other = Buffer.from(` ${canonical}`);
    const third = Buffer.from(`${canonical} `);
    const read = new StoredObject({ codec, key: 'a', revision: 3, value: other, isCanonical: false });
    const written = new StoredObject({ codec, key: 'a', revision: 3, value: bytes, isCanonical: true, stored: other });
    assert.equal(read.isStoredAs(other, bytes), true, 'as it came');
    assert.equal(read.canonical.toString(), canonical);
    for (const object of [read, read.withRevision(4), written]) {
      assert.equal(object.isStoredAs(other, bytes), true);
      assert.equal(object.isStoredAs(bytes, bytes), false);
      assert.equal(object.isStoredAs(third, bytes), false);
      assert.equal(object.isStoredAs(other, third), false, 'another object');
    }
  });

  it('accepts keys with any name', async () => {
    await using resource = testResource();
    const object = configMap('a');
    object.data = JSON.parse('{"__proto__":"1","constructor":"2"}');
    object.metadata.uid = 'u';
    object.metadata.labels = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    const created = await resource.storage.create('/registry/configmaps/default/a', object);
    assert.ok(created !== undefined);
    assert.match(created.json().toString(), /"data":\{"__proto__":"1","constructor":"2"\}/);
    assert.equal(Object.getPrototypeOf(created.decode()), Object.prototype);
    assert.equal(Object.hasOwn(created.labels, '__proto__'), true);
  });
});

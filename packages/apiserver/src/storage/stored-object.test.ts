import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, testResource } from '../testing/index.js';
import { StoredObject } from './stored-object.js';

const canonical =
  '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default","uid":"u-1","labels":{"k":"v"}},"data":{"uid":"\\",\\"uid\\":\\"x\\""}}';

function stored(revision: number, text = canonical): StoredObject {
  const { codec } = testResource().storage;
  const key = '/registry/configmaps/default/a';
  return new StoredObject({ codec, key, revision, value: Buffer.from(text), isCanonical: true });
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

  it('keeps the form that the store has under another revision', () => {
    const { codec } = testResource().storage;
    const bytes = Buffer.from(canonical);
    const other = Buffer.from(` ${canonical}`);
    const read = new StoredObject({ codec, key: 'a', revision: 3, value: other, isCanonical: false });
    assert.equal(read.withRevision(4).isStoredAs(other, bytes), true);
    assert.equal(read.canonical.toString(), canonical);
    assert.equal(read.withRevision(4).isStoredAs(other, bytes), true);
    assert.equal(read.withRevision(4).isStoredAs(bytes, bytes), false);
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

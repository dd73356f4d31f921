import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { trimmedEncoding } from './trimmed-encoding.js';

describe('trimmed encoding', () => {
  const template = { metadata: { managedFields: [{ manager: 'kept' }], labels: { a: '"managedFields":[' } } };
  const metadata = { name: 'a', annotations: { 'x"': '{"managedFields":[]}' } };
  const managed = { ...metadata, managedFields: [{ manager: 'b', fieldsV1: { 'k:{"name":"c"}': {} } }] };
  const [format] = trimmedEncoding.formats;
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

  it('drops the managed fields of an object, and no others', () => {
    const decoded = format?.decode(bytes({ kind: 'Deployment', metadata: managed, spec: { template } }));
    assert.deepEqual(decoded, { kind: 'Deployment', metadata, spec: { template } });
  });

  it('drops those of the object in an event', () => {
    const object = { kind: 'Deployment', spec: { template }, metadata: { ...managed, uid: 'u' } };
    assert.deepEqual(format?.decodeEvent(bytes({ type: 'ADDED', object })), {
      type: 'ADDED',
      object: { ...object, metadata: { ...metadata, uid: 'u' } },
    });
  });

  it('does not parse them', () => {
    const unreadable = '{"kind":"Pod","metadata":{"managedFields":[{"no": json}],"name":"a"}}';
    assert.deepEqual(format?.decode(Buffer.from(unreadable)), { kind: 'Pod', metadata: { name: 'a' } });
  });

  it('is that of all kinds', () => {
    assert.equal(trimmedEncoding.ofKind({ group: '', version: 'v1', kind: 'Pod' }), trimmedEncoding);
    assert.equal(trimmedEncoding.ofKind(undefined), trimmedEncoding);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { internalError } from '@binnacle/apimachinery/status';
import { object, request, unversioned } from './plugins/request.testing.js';
import { RequestObjects } from './request-objects.js';

const v1 = { group: 'apps', version: 'v1', kind: 'Deployment' };
const v2 = { ...v1, version: 'v2' };
const encoder = new TextEncoder();

/** An update of `oldObject` to `given`. Each encoding and document is recorded as `name version`. v2 is shown later. */
function world(given?: KubernetesObject, oldObject?: KubernetesObject) {
  const encoded: string[] = [];
  const shownIn: string[] = [];
  const versions = {
    ...unversioned,
    encode: (shown: Readonly<KubernetesObject>, { version }: typeof v1) => {
      encoded.push(`${String(shown.metadata.name)} ${version}`);
      if (version === 'v3') throw internalError('no such version');
      return encoder.encode(JSON.stringify(shown));
    },
    document: (shown: Readonly<KubernetesObject>, { version }: typeof v1) => {
      shownIn.push(`${String(shown.metadata.name)} ${version}`);
      if (version === 'v3') throw internalError('no such version');
      const document = structuredClone(asJson(shown));
      return version === 'v2' ? Promise.resolve(document) : document;
    },
  };
  return { objects: new RequestObjects(request('deployments', given, { oldObject, versions })), encoded, shownIn };
}

describe('RequestObjects', () => {
  it('encodes and shows each object once in each version', async () => {
    const { objects, encoded, shownIn } = world(object('D', {}, { name: 'new' }), object('D', {}, { name: 'old' }));
    const [first, second] = await Promise.all([objects.encoded(v1), objects.encoded(v1)]);
    const documents = await objects.documents(v1);
    await objects.documents(v2);
    assert.equal(first.object, second.object);
    assert.equal(first.oldObject, second.oldObject);
    assert.deepEqual(documents.object?.['metadata'], { name: 'new' });
    assert.equal((await objects.documents(v1)).object, documents.object);
    await objects.documents(v2);
    assert.deepEqual((await objects.document(v2))?.['metadata'], { name: 'new' });
    assert.deepEqual(encoded, ['new v1', 'old v1']);
    assert.deepEqual(shownIn, ['new v1', 'old v1', 'new v2', 'old v2']);
  });

  it('shows the new object again after a change, and keeps the old one', async () => {
    const given = object('D', {}, { name: 'new' });
    const { objects, shownIn } = world(given, object('D', {}, { name: 'old' }));
    const before = await objects.documents(v1);
    given.metadata.name = 'changed';
    objects.changed();
    const after = await objects.documents(v1);
    assert.deepEqual(after.object?.['metadata'], { name: 'changed' });
    assert.equal(after.oldObject, before.oldObject);
    assert.deepEqual(shownIn, ['new v1', 'old v1', 'changed v1']);
  });

  it('shows only the objects that the request has', async () => {
    const { objects } = world(undefined, object('D'));
    assert.equal((await objects.encoded(v1)).object, undefined);
    assert.equal((await objects.documents(v1)).object, undefined);
    assert.notEqual((await objects.documents(v1)).oldObject, undefined);
  });

  it('fails for each that asks for a version which an object does not have', async () => {
    const { objects } = world(object('D'));
    const error = { code: 500, message: /no such version/ };
    await assert.rejects(objects.encoded({ ...v1, version: 'v3' }), error);
    await assert.rejects(async () => objects.documents({ ...v1, version: 'v3' }), error);
  });
});

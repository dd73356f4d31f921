import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noAdmission } from '../registry/index.js';
import { answer, configMap, type TestResource, testResource, testScope } from '../testing/index.js';

const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

async function filled(): Promise<TestResource> {
  const resource = testResource();
  await resource.store.create(testScope(), configMap('a', { data: { x: '1' }, labels: { l: 'm' } }), noAdmission);
  return resource;
}

async function patch(resource: TestResource, type: string, body: unknown, name = 'a') {
  const { status, body: text } = await answer(resource.endpoint, {
    method: 'PATCH',
    url: `/api/v1/namespaces/default/configmaps/${name}`,
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const document = JSON.parse(text) as {
    message?: string;
    data?: object;
    metadata: { resourceVersion?: string; labels?: object };
  };
  return { status, message: document.message, data: document.data, metadata: document.metadata };
}

describe('PATCH', () => {
  it('takes three kinds of patches', async () => {
    await using resource = await filled();
    assert.deepEqual((await patch(resource, JSON_PATCH, [{ op: 'add', path: '/data/y', value: '2' }])).data, {
      x: '1',
      y: '2',
    });
    assert.deepEqual((await patch(resource, MERGE, { data: { x: null, z: '3' } })).data, { y: '2', z: '3' });
    assert.deepEqual((await patch(resource, STRATEGIC, { data: { $patch: 'replace', only: '4' } })).data, {
      only: '4',
    });
    assert.equal((await patch(resource, 'application/json', {})).status, 415);
  });

  it('leaves what it does not change as it is', async () => {
    await using resource = await filled();
    const before = await resource.storage.currentRevision();
    const { status, metadata } = await patch(resource, MERGE, { data: { x: '1' } });
    assert.equal(status, 200);
    assert.equal(metadata.resourceVersion, String(before));
    assert.deepEqual(metadata.labels, { l: 'm' });
  });

  it('is fenced when it says so', async () => {
    await using resource = await filled();
    assert.equal((await patch(resource, MERGE, { metadata: { resourceVersion: '1' } })).status, 409);
    assert.equal((await patch(resource, MERGE, { metadata: { uid: 'other' } })).status, 422);
  });

  it('loses none of many at once', async () => {
    await using resource = await filled();
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    const answers = await Promise.all(keys.map((key) => patch(resource, MERGE, { data: { [key]: 'v' } })));
    assert.ok(answers.every(({ status }) => status === 200));
    const { data } = (await resource.reader.get('default', 'a', '')).decode();
    assert.equal(Object.keys(data as object).length, 21);
  });

  it('says what is wrong', async () => {
    await using resource = await filled();
    const cases: readonly (readonly [string, unknown, number])[] = [
      [MERGE, '{', 400],
      [MERGE, '[]', 400],
      [STRATEGIC, '[]', 400],
      [JSON_PATCH, '{}', 400],
      [JSON_PATCH, [{ op: 'remove', path: '/data/none' }], 422],
      [JSON_PATCH, [{ op: 'test', path: '/data/x', value: '9' }], 422],
      [MERGE, { metadata: { name: 'b' } }, 400],
      [MERGE, { data: 5 }, 422],
      [JSON_PATCH, [{ op: 'replace', path: '', value: 'x' }], 422],
    ];
    for (const [type, body, expected] of cases) {
      const { status, message } = await patch(resource, type, body);
      assert.equal(status, expected, `${JSON.stringify(body)}: ${message}`);
    }
    assert.equal((await patch(resource, MERGE, {}, 'none')).status, 404);
  });

  it('never reaches a prototype', async () => {
    await using resource = await filled();
    await patch(resource, MERGE, '{"data":{"__proto__":{"polluted":"yes"}},"__proto__":{"polluted":"yes"}}');
    await patch(resource, JSON_PATCH, [{ op: 'add', path: '/data/__proto__/polluted', value: 'yes' }]);
    await patch(resource, JSON_PATCH, [{ op: 'add', path: '/constructor/prototype/polluted', value: 'yes' }]);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('makes an object of nothing for no kind', async () => {
    await using resource = testResource({ strategy: { allowCreateOnUpdate: true } });
    assert.equal((await patch(resource, MERGE, { data: {} })).status, 404);
  });
});

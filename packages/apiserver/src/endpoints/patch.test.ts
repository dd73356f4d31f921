import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isObject } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { AdmissionPlugin } from '../admission/index.js';
import {
  answer,
  configMap,
  describeWatchCacheModes,
  type TestResource,
  testResource,
  testScope,
  type WatchCacheMode,
} from '../testing/index.js';
import { patchMechanism, type PatchType } from './patch-mechanism.js';

const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

async function filled(mode: WatchCacheMode): Promise<TestResource> {
  const resource = testResource(mode);
  await resource.store.create(testScope(), configMap('a', { data: { x: '1' }, labels: { l: 'm' } }));
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

/** Another client writes before each of the first `times` attempts to store. */
function withRival(resource: TestResource, times: number): TestResource {
  let writes = 0;
  const rival: AdmissionPlugin = {
    name: 'Rival',
    handles: () => true,
    admit: async () => {
      if (writes >= times) return;
      writes++;
      const rivals = { rival: String(writes) };
      const transform = (current: KubernetesObject | undefined) => {
        const object = current ?? configMap('a');
        return { ...object, data: { ...(isObject(object.data) ? object.data : {}), ...rivals } };
      };
      await resource.store.update(testScope(), { name: 'a', transform });
    },
  };
  return { ...resource, endpoint: { ...resource.endpoint, plugins: [rival] } };
}

describeWatchCacheModes('PATCH', (mode) => {
  it('accepts three types of patches', async () => {
    await using resource = await filled(mode);
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

  it('keeps what it does not change', async () => {
    await using resource = await filled(mode);
    const before = await resource.storage.currentRevision();
    const { status, metadata } = await patch(resource, MERGE, { data: { x: '1' } });
    assert.equal(status, 200);
    assert.equal(metadata.resourceVersion, String(before));
    assert.deepEqual(metadata.labels, { l: 'm' });
  });

  it('conflicts when its resourceVersion is stale', async () => {
    await using resource = await filled(mode);
    assert.equal((await patch(resource, MERGE, { metadata: { resourceVersion: '1' } })).status, 409);
    assert.equal((await patch(resource, MERGE, { metadata: { uid: 'other' } })).status, 422);
  });

  it('loses no concurrent patch', async () => {
    await using resource = await filled(mode);
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    const answers = await Promise.all(keys.map((key) => patch(resource, MERGE, { data: { [key]: 'v' } })));
    assert.ok(answers.every(({ status }) => status === 200));
    const { data } = (await resource.reader.get('default', 'a')).decode();
    assert.equal(Object.keys(data as object).length, 21);
  });

  it('reports errors', async () => {
    await using resource = await filled(mode);
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

  it('refuses numbers that no double can represent', async () => {
    await using resource = await filled(mode);
    const problem = 'json: cannot unmarshal number 1e400 into Go';
    const cases: readonly (readonly [string, string, string])[] = [
      [MERGE, '{"x":1e400}', `error decoding patch: ${problem} value of type float64`],
      [STRATEGIC, '{"x":1e400}', `${problem} value of type float64`],
      [
        JSON_PATCH,
        '[{"op":"add","path":"/x","value":[1e400]}]',
        `error decoding patch: ${problem} struct field jsonPatchOp.value of type float64`,
      ],
    ];
    for (const [type, body, expected] of cases) {
      const { status, message } = await patch(resource, type, body);
      assert.deepEqual([status, message], [400, expected]);
    }
  });

  it('quotes a body that it cannot read', async () => {
    await using resource = await filled(mode);
    const message = async (type: string, body: unknown) => (await patch(resource, type, body)).message ?? '';
    const metadata = '\\"metadata\\":{\\"name\\":\\"a\\",\\"namespace\\":\\"default\\",\\"uid\\"';
    const merged = await message(MERGE, { data: { a: 5 } });
    const head = ' "" is invalid: patch: Invalid value: ';
    const data = '{\\"apiVersion\\":\\"v1\\",\\"data\\":{\\"a\\":5,\\"x\\":\\"1\\"},\\"kind\\":\\"ConfigMap\\",';
    assert.ok(merged.startsWith(`${head}"${data}${metadata}`), merged);
    const operated = await message(JSON_PATCH, [{ op: 'add', path: '/data/a', value: 5 }]);
    assert.ok(operated.startsWith(`${head}"${data}${metadata}`), operated);
    const other = await message(MERGE, { kind: 'Secret' });
    assert.ok(other.endsWith(': illegal base64 data at input byte 0'), other);
    const unknown = await message(MERGE, { kind: 'Nothing' });
    assert.match(unknown, /: no kind "Nothing" is registered for version "v1" in scheme/);
    assert.equal(await message(STRATEGIC, { data: 5 }), `${head}"map[data:5]": cannot restore map from int64`);
    assert.equal(
      await message(STRATEGIC, { data: { x: [] } }),
      `${head}"map[data:map[x:[]]]": unrecognized type: string`,
    );
    assert.equal(await message(STRATEGIC, { kind: 'Secret' }), '');
  });

  it('treats null as an empty patch, except in a merge patch', async () => {
    await using resource = await filled(mode);
    for (const type of [JSON_PATCH, STRATEGIC]) {
      const { status, data } = await patch(resource, type, 'null');
      assert.deepEqual([status, data], [200, { x: '1' }], type);
    }
    const { status, message } = await patch(resource, MERGE, 'null');
    assert.deepEqual([status, message], [400, 'Invalid JSON Patch']);
  });

  it('fills in the kind, and requires a version', async () => {
    await using resource = await filled(mode);
    const cases: readonly (readonly [string, unknown, number, RegExp])[] = [
      [MERGE, { kind: null }, 200, /^$/],
      [JSON_PATCH, [{ op: 'remove', path: '/kind' }], 200, /^$/],
      [JSON_PATCH, [{ op: 'replace', path: '/kind', value: null }], 200, /^$/],
      [MERGE, { kind: null, apiVersion: 'apps/v1' }, 422, /: no kind "ConfigMap" is registered for version "apps\/v1"/],
      [MERGE, { kind: 5 }, 422, /: json: cannot unmarshal number into Go struct field \.kind of type string$/],
      [MERGE, { apiVersion: null }, 400, /^the name of the object \(a based on URL\) was undeterminable: name must be/],
      [
        MERGE,
        { apiVersion: null, kind: 'Foo' },
        422,
        /: no kind "Foo" is registered for the internal version of group ""/,
      ],
      [
        JSON_PATCH,
        [{ op: 'replace', path: '', value: [] }],
        422,
        /cannot unmarshal array into Go value of type struct/,
      ],
      [STRATEGIC, { apiVersion: 1 }, 422, /: cannot convert int64 to string$/],
      [STRATEGIC, { apiVersion: null }, 200, /^$/],
    ];
    for (const [type, body, expected, text] of cases) {
      const { status, message } = await patch(resource, type, body);
      assert.equal(status, expected, JSON.stringify(body));
      assert.match(message ?? '', text);
    }
  });

  it('knows no field of an object without a version', async () => {
    await using resource = await filled(mode);
    const request = {
      method: 'PATCH',
      headers: { 'content-type': MERGE },
      body: '{"apiVersion":null,"data":{"y":"1"}}',
    };
    const url = '/api/v1/namespaces/default/configmaps/a?fieldValidation=';
    const warned = await answer(resource.endpoint, { ...request, url: `${url}Warn` });
    assert.equal(warned.status, 400);
    assert.deepEqual(warned.warnings, ['unknown field "data"', 'unknown field "metadata"']);
    const strict = await answer(resource.endpoint, { ...request, url: `${url}Strict` });
    assert.equal(strict.status, 422);
    assert.ok(strict.body.includes('strict decoding error: unknown field \\"data\\", unknown field \\"metadata\\"'));
  });

  it('reports duplicate and unknown fields of a strict patch', async () => {
    await using resource = await filled(mode);
    const { status, body } = await answer(resource.endpoint, {
      method: 'PATCH',
      url: '/api/v1/namespaces/default/configmaps/a?fieldValidation=Strict',
      headers: { 'content-type': JSON_PATCH },
      body: '[{"op":"add","path":"/data/y","value":"1","value":"2","note":"n","note":{"a":1,"a":2}}]',
    });
    assert.equal(status, 422);
    const problem = 'json patch duplicate field \\"[0].value\\", json patch unknown field \\"[0].note\\"';
    assert.ok(body.includes(`strict decoding error: ${problem}`), body);
  });

  it('reports duplicate fields of an added value in the patch and in the object', async () => {
    await using resource = await filled(mode);
    const { status, warnings } = await answer(resource.endpoint, {
      method: 'PATCH',
      url: '/api/v1/namespaces/default/configmaps/a?fieldValidation=Warn',
      headers: { 'content-type': JSON_PATCH },
      body: '[{"op":"add","path":"/data","value":{"z":"1","z":"2"}}]',
    });
    assert.equal(status, 200);
    assert.deepEqual(warnings, ['json patch duplicate field "[0].value.z"', 'duplicate field "data.z"']);
  });

  it('refuses a number with a fraction for an integer', async () => {
    await using resource = await filled(mode);
    const generation = '"generation":1.0';
    for (const [type, body] of [
      [MERGE, `{"metadata":{${generation}}}`],
      [JSON_PATCH, '[{"op":"add","path":"/metadata/generation","value":1.0}]'],
    ] as const) {
      const { status, message } = await patch(resource, type, body);
      assert.equal(status, 422);
      assert.match(
        message ?? '',
        /: json: cannot unmarshal number 1\.0 into Go struct field .*generation of type int64$/,
      );
    }
  });

  it('reports duplicate fields below a long key in part', async () => {
    const fields = Array.from({ length: 200 }, (_, index) => `"k${index}":1,"k${index}":2`).join(',');
    const long = `{"${'x'.repeat(1_400_000)}":{${fields}}}`;
    const bodies = { [MERGE]: long, [STRATEGIC]: long, [JSON_PATCH]: `[{"value":${long}}]` } as const;
    for (const [type, body] of Object.entries(bodies)) {
      const mechanism = await patchMechanism(type as PatchType, Buffer.from(body));
      assert.equal(mechanism.strictErrors.length, 1, type);
    }
  });

  it('retries until it succeeds', async () => {
    const bodies: readonly (readonly [string, unknown])[] = [
      [JSON_PATCH, [{ op: 'add', path: '/data/mine', value: '1' }]],
      [MERGE, { data: { mine: '1' } }],
      [STRATEGIC, { data: { mine: '1' } }],
    ];
    for (const [type, body] of bodies) {
      await using resource = await filled(mode);
      const raced = withRival(resource, 7);
      const { status, data } = await patch(raced, type, body);
      assert.deepEqual([status, data], [200, { x: '1', mine: '1', rival: '7' }], type);
    }
  });

  it('is not retried when it names a resourceVersion', async () => {
    await using resource = await filled(mode);
    const resourceVersion = String(await resource.storage.currentRevision());
    const { status, message } = await patch(withRival(resource, 1), MERGE, {
      metadata: { resourceVersion },
      data: { mine: '1' },
    });
    assert.equal(status, 409);
    assert.match(message ?? '', /^Operation cannot be fulfilled on configmaps "a": the object has been modified/);
    assert.deepEqual((await resource.reader.get('default', 'a')).decode().data, { x: '1', rival: '1' });
  });

  it('never reaches a prototype', async () => {
    await using resource = await filled(mode);
    await patch(resource, MERGE, '{"data":{"__proto__":{"polluted":"yes"}},"__proto__":{"polluted":"yes"}}');
    await patch(resource, JSON_PATCH, [{ op: 'add', path: '/data/__proto__/polluted', value: 'yes' }]);
    await patch(resource, JSON_PATCH, [{ op: 'add', path: '/constructor/prototype/polluted', value: 'yes' }]);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('creates no object of any kind', async () => {
    await using resource = testResource({ ...mode, strategy: { allowCreateOnUpdate: true } });
    assert.equal((await patch(resource, MERGE, { data: {} })).status, 404);
  });
});

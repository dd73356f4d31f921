import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ManagedFieldsEntry } from '@binnacle/apimachinery/meta';
import { forbidden } from '@binnacle/apimachinery/status';
import {
  answer,
  configMap,
  type TestResource,
  type TestResourceOptions,
  testResource,
  testScope,
} from '../testing/index.js';

interface Applied {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly message?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly metadata: {
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly managedFields?: readonly ManagedFieldsEntry[];
  };
}

async function apply(resource: TestResource, body: unknown, query = 'fieldManager=m', name = 'a'): Promise<Applied> {
  const {
    status,
    body: text,
    warnings,
  } = await answer(resource.endpoint, {
    method: 'PATCH',
    url: `/api/v1/namespaces/default/configmaps/${name}?${query}`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { ...(JSON.parse(text) as Omit<Applied, 'status' | 'warnings'>), status, warnings };
}

const map = (data: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  data,
});

async function filled(options: TestResourceOptions = {}): Promise<TestResource> {
  const resource = testResource(options);
  assert.equal((await apply(resource, map({ x: '1' }), 'fieldManager=first')).status, 201);
  return resource;
}

describe('PATCH with an apply configuration', () => {
  it('creates and changes objects', async () => {
    await using resource = testResource();
    const created = await apply(resource, map({ x: '1' }));
    assert.deepEqual([created.status, created.data], [201, { x: '1' }]);
    const changed = await apply(resource, map({ x: '2' }));
    assert.deepEqual([changed.status, changed.data, changed.metadata.uid], [200, { x: '2' }, created.metadata.uid]);
  });

  it('reads YAML and JSON alike', async () => {
    await using resource = await filled();
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  z: "2"\n';
    assert.deepEqual((await apply(resource, text)).data, { x: '1', z: '2' });
  });

  it('keeps version and times when nothing changes, even if the strategy undoes a change', async () => {
    await using resource = testResource({
      strategy: {
        prepareForUpdate: (object) => {
          object['data'] = { x: '1' };
        },
      },
    });
    const { metadata } = await apply(resource, map({ x: '1' }));
    resource.clock.skip(60_000);
    assert.deepEqual((await apply(resource, map({ x: '1' }))).metadata, metadata);
    assert.deepEqual((await apply(resource, map({ x: '2' }))).metadata, metadata);
  });

  it('reports conflicts, and takes ownership by force', async () => {
    await using resource = await filled();
    const refused = await apply(resource, map({ x: '2' }));
    assert.deepEqual(
      [refused.status, refused.message],
      [409, 'Apply failed with 1 conflict: conflict with "first": .data.x'],
    );
    const forced = await apply(resource, map({ x: '2' }), 'fieldManager=m&force=true');
    assert.deepEqual([forced.status, forced.data], [200, { x: '2' }]);
    assert.deepEqual(
      forced.metadata.managedFields?.map((each) => each.manager),
      ['m'],
    );
  });

  it('stores nothing in a dry run', async () => {
    await using resource = await filled();
    const before = await resource.storage.currentRevision();
    assert.deepEqual((await apply(resource, map({ y: '1' }), 'fieldManager=m&dryRun=All')).data, { x: '1', y: '1' });
    assert.equal(
      (await apply(resource, { ...map({}), metadata: { name: 'b' } }, 'fieldManager=m&dryRun=All', 'b')).status,
      201,
    );
    assert.equal(await resource.storage.currentRevision(), before);
  });

  it('retries after a lost comparison', async () => {
    await using resource = await filled();
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    const answers = await Promise.all(keys.map((key) => apply(resource, map({ [key]: 'v' }), `fieldManager=${key}`)));
    assert.ok(answers.every(({ status }) => status === 200));
    const { data } = (await resource.reader.get('default', 'a')).decode();
    assert.equal(Object.keys(data as object).length, 21);
    const both = await Promise.all(
      ['p', 'q'].map((manager) =>
        apply(resource, { ...map({ z: '1' }), metadata: { name: 'n' } }, `fieldManager=${manager}`, 'n'),
      ),
    );
    assert.deepEqual(new Set(both.map(({ status }) => status)), new Set([200, 201]));
  });

  it('treats duplicate keys as fieldValidation says', async () => {
    await using resource = await filled();
    const text = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"y":"1","y":"2"}}';
    const duplicate = 'line 1: key "y" already set in map';
    const problem = `error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicate}`;
    const strict = await apply(resource, text, 'fieldManager=m&fieldValidation=Strict');
    assert.deepEqual([strict.status, strict.message], [400, `error strict decoding YAML: ${problem}`]);
    assert.deepEqual((await apply(resource, text)).warnings, [duplicate]);
    assert.deepEqual((await apply(resource, text, 'fieldManager=m&fieldValidation=Ignore')).warnings, []);
  });

  it('gives an object without managed fields a manager for all its fields', async () => {
    await using resource = testResource();
    await resource.store.create(testScope(), configMap('a', { data: { x: '1' } }));
    const { metadata } = await apply(resource, map({ x: '1' }));
    assert.deepEqual(
      metadata.managedFields?.map((each) => each.manager),
      ['m', 'before-first-apply'],
    );
  });

  it('resets ownership on an update with an empty list of managers, or with one empty manager', async () => {
    for (const managedFields of [[], [{}]]) {
      await using resource = await filled();
      const { body } = await answer(resource.endpoint, {
        method: 'PATCH',
        url: '/api/v1/namespaces/default/configmaps/a',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ metadata: { managedFields } }),
      });
      const { data, metadata } = JSON.parse(body) as Applied;
      assert.deepEqual([data, metadata.managedFields], [{ x: '1' }, undefined]);
    }
  });

  const refusals: readonly (readonly [string, unknown, number, RegExp, string?])[] = [
    ['no manager', map({}), 422, /fieldManager: Required value: is required for apply patch/, ''],
    [
      'no map',
      '[]',
      400,
      /^error decoding YAML: .*cannot unmarshal array into Go value of type map\[string\]interface \{\}$/,
    ],
    ['nothing', '', 400, /^invalid object type: \/, Kind=$/],
    ['no YAML', 'a: [', 400, /^error decoding YAML: error converting YAML to JSON: yaml: /],
    ['another kind', { ...map({}), kind: 'Secret' }, 400, /^invalid object type: \/v1, Kind=Secret$/],
    [
      'another name',
      map({}, { name: 'b' }),
      400,
      /^the name of the object \(b\) does not match the name on the URL \(a\)$/,
    ],
    ['another namespace', map({}, { namespace: 'other' }), 400, /^the namespace of the provided object does not match/],
    ['an unknown field', { ...map({}), bogus: 1 }, 500, /\.bogus: field not declared in schema$/],
    [
      'what cannot be decoded',
      { ...map({}), binaryData: { a: '%' } },
      500,
      /^failed to convert new object \(\/a; \/v1, Kind=ConfigMap\) to proper version: unable to convert unstructured object to \/v1, Kind=ConfigMap: illegal base64 data/,
    ],
    ['a stale version', map({}, { resourceVersion: '1' }), 409, /the object has been modified/],
    ['another uid', map({}, { uid: 'other' }), 422, /metadata\.uid/],
  ];
  for (const [what, body, code, message, query] of refusals) {
    it(`refuses ${what}`, async () => {
      await using resource = await filled();
      const refused = await apply(resource, body, query);
      assert.equal(refused.status, code, refused.message);
      assert.match(refused.message ?? '', message);
    });
  }

  it('creates only for users who may create', async () => {
    await using resource = await filled();
    const request = (name: string, method: string, type: string) =>
      answer(
        resource.endpoint,
        {
          method,
          url: `/api/v1/namespaces/default/configmaps/${name}?fieldManager=m`,
          headers: { 'content-type': type },
          body: JSON.stringify(map({ y: '1' }, { name })),
        },
        (verb) => {
          throw forbidden({ group: '', resource: 'configmaps' }, name, `no ${verb}`);
        },
      );
    const denied = await request('b', 'PATCH', 'application/apply-patch+yaml');
    assert.deepEqual([denied.status, /no create/.test(denied.body)], [403, true]);
    assert.equal((await request('a', 'PATCH', 'application/apply-patch+yaml')).status, 200);
    assert.equal((await request('a', 'PUT', 'application/json')).status, 200);
    assert.equal(await resource.reader.find('default', 'b'), undefined);
  });

  it('requires a name only when the object does not exist', async () => {
    await using resource = await filled();
    const nameless = map({}, { name: undefined });
    assert.equal((await apply(resource, nameless)).status, 200);
    const { status, message } = await apply(resource, nameless, 'fieldManager=m', 'b');
    assert.equal(status, 400);
    assert.match(message ?? '', /name must be provided$/);
  });

  it('refuses a uid when the object does not exist', async () => {
    await using resource = testResource();
    const { status, message } = await apply(resource, map({}, { uid: 'u' }));
    assert.equal(status, 409);
    assert.match(message ?? '', /uid mismatch: the provided object specified uid u, and no existing object was found$/);
  });
});

it('an apply is refused when the managed fields of all managers are too large, and a patch then drops them', async () => {
  await using resource = testResource();
  const data = (length: number, letter: string) =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`${index}`.padStart(250, letter), 'v']));
  const object = map(data(2500, 'k'));
  assert.equal((await apply(resource, object, 'fieldManager=a')).status, 201);
  assert.equal((await apply(resource, object, 'fieldManager=b')).status, 200);
  const refused = await apply(resource, object, 'fieldManager=c');
  assert.deepEqual([refused.status, refused.message], [500, 'etcdserver: request is too large']);
  const kept = (await resource.reader.get('default', 'a')).decode();
  assert.equal(kept.metadata.managedFields?.length, 2);

  const more = data(1200, 'm');
  const { status, body } = await answer(resource.endpoint, {
    method: 'PATCH',
    url: '/api/v1/namespaces/default/configmaps/a?fieldManager=c',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ data: more }),
  });
  const patched = JSON.parse(body) as Applied;
  assert.deepEqual([status, patched.metadata.managedFields], [200, undefined]);
  assert.deepEqual(patched.data, { ...data(2500, 'k'), ...more });
});

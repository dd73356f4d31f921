/** CBOR as upstream speaks it, where its gate is on: the same answers as in JSON, and bodies of every kind. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeCbor, encodeCbor } from '@binnacle/apimachinery/cbor';
import { parseJson } from '@binnacle/apimachinery/json';
import { testServer } from 'binnacle/testing';
import { definition } from '../custom-resources/definition.mjs';

const CBOR = 'application/cbor';
const SEQUENCE = 'application/cbor-seq';
const JSON_TYPE = 'application/json';
const APPLY = 'application/apply-patch+cbor';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

const configMap = (name, data = { key: 'grüße' }) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const widget = (name, spec) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec });

const widgets = definition({ plural: 'widgets', kind: 'Widget' });

/** What a client of the server sends and gets. `body`: bytes, or a tree to be sent in CBOR. */
function sender(server) {
  return async (method, path, { accept = CBOR, body, contentType = CBOR, signal, headers = {} } = {}) => {
    const response = await server().transport.send(
      {
        method,
        path,
        headers: { accept, ...headers, ...(body === undefined ? {} : { 'content-type': contentType }) },
        ...(body === undefined ? {} : { body: body instanceof Uint8Array ? body : encodeCbor(body) }),
      },
      signal,
    );
    const type = response.headers['content-type'];
    if (type === SEQUENCE) return { status: response.status, type, frames: response.body };
    const chunks = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const value = type === CBOR ? decodeCbor(bytes).value : type === JSON_TYPE ? parseJson(bytes).value : undefined;
    return { status: response.status, type, bytes, value };
  };
}

describe('with CBORServingAndStorage', () => {
  let server;
  const send = sender(() => server);

  /** The answer in CBOR, which begins as it must and is the answer in JSON. */
  async function same(path, accept = (type) => type) {
    const cbor = await send('GET', path, { accept: accept(CBOR) });
    const json = await send('GET', path, { accept: accept(JSON_TYPE) });
    assert.equal(cbor.type, CBOR, path);
    assert.equal(json.type, JSON_TYPE, path);
    assert.equal(cbor.bytes.toString('hex', 0, 3), 'd9d9f7');
    assert.deepEqual(cbor.value, json.value, path);
    return cbor.value;
  }

  async function refused(answer, code, message) {
    const { status, type, value } = await answer;
    assert.deepEqual([status, type, value.kind, value.message], [code, CBOR, 'Status', message]);
  }

  before(async () => {
    const options = { controllers: '', disableAdmissionPlugins: 'ServiceAccount' };
    server = await testServer({ ...options, featureGates: 'CBORServingAndStorage=true' });
    const created = await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: widgets });
    assert.equal(created.status, 201);
    const served = async () => (await send('GET', WIDGETS, { accept: JSON_TYPE })).status === 200;
    while (!(await served())) await new Promise((resolve) => setImmediate(resolve));
  });
  after(async () => {
    await server.stop();
  });

  it('objects and lists are those of JSON, of built-in and of custom kinds', async () => {
    for (const [path, object] of [
      [CONFIG_MAPS, configMap('a')],
      [
        '/api/v1/namespaces/default/secrets',
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { k: '/wAB' } },
      ],
      [WIDGETS, widget('a', { big: 9007199254740993n, part: 1.5, deep: [{ __proto: null }], none: {} })],
    ]) {
      const created = await send('POST', path, { body: object });
      assert.deepEqual([created.status, created.type], [201, CBOR]);
      assert.deepEqual(await same(`${path}/a`), created.value);
      await same(path);
      await same(path, (type) => `${type};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`);
    }
    for (const path of ['/api/v1/namespaces', '/apis/rbac.authorization.k8s.io/v1/clusterroles', '/api/v1/services']) {
      assert.ok((await same(path)).items.length > 0);
    }
  });

  it('the resources of built-in versions are listed in it; there is no more of discovery', async () => {
    for (const path of ['/api/v1', '/apis/apps/v1', '/apis/apiextensions.k8s.io/v1']) await same(path);
    for (const [path, form] of [
      ['/api', CBOR],
      ['/apis', CBOR],
      ['/apis', `${CBOR};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`],
      ['/apis/apps', CBOR],
      ['/apis/example.com', CBOR],
      ['/apis/example.com/v1', CBOR],
    ]) {
      const { status, type, value } = await send('GET', path, { accept: form });
      assert.deepEqual([status, type, value.reason], [406, JSON_TYPE, 'NotAcceptable'], path);
      assert.ok(!value.message.includes('cbor'), value.message);
      assert.equal((await send('GET', path, { accept: `${form}, ${JSON_TYPE};q=0.9` })).type, JSON_TYPE);
    }
  });

  it('OpenAPI names it, for built-in resources', async () => {
    const { paths: v2 } = (await send('GET', '/openapi/v2', { accept: JSON_TYPE })).value;
    const list = v2['/api/v1/namespaces/{namespace}/configmaps'].get;
    assert.deepEqual(list.produces, [
      JSON_TYPE,
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
      CBOR,
      `${JSON_TYPE};stream=watch`,
      'application/vnd.kubernetes.protobuf;stream=watch',
      SEQUENCE,
    ]);
    const item = v2['/api/v1/namespaces/{namespace}/configmaps/{name}'];
    assert.equal(item.get.produces.at(-1), CBOR);
    assert.equal(item.patch.consumes.at(-1), APPLY);
    const { paths: v3 } = (await send('GET', '/openapi/v3/api/v1', { accept: JSON_TYPE })).value;
    const { patch } = v3['/api/v1/namespaces/{namespace}/configmaps/{name}'];
    assert.ok(APPLY in patch.requestBody.content);
    assert.ok(CBOR in patch.responses['200'].content);
    const custom = await send('GET', '/openapi/v3/apis/example.com/v1', { accept: JSON_TYPE });
    assert.ok(!custom.bytes.includes('cbor'));
  });

  it('what filters answer is JSON, also for those who take nothing else than CBOR', async () => {
    const refusals = [
      [403, CONFIG_MAPS, { 'impersonate-user': 'nobody' }],
      [403, '/metrics', { 'impersonate-user': 'nobody' }],
      [400, `${CONFIG_MAPS}?timeout=soon`, {}],
    ];
    for (const [code, path, headers] of refusals) {
      const { status, type, value, bytes } = await send('GET', path, { headers });
      assert.deepEqual([status, type, value.kind, value.code], [code, JSON_TYPE, 'Status', code]);
      assert.match(bytes.toString(), /^\{\n {2}"kind": "Status",\n/, 'indented, as for an unknown client');
    }
    // The handler has a say only behind them.
    assert.equal((await send('GET', `${CONFIG_MAPS}/none`)).type, CBOR);
  });

  it('a client that takes anything gets JSON, and so does a table', async () => {
    for (const [path, accept] of [
      [CONFIG_MAPS, '*/*'],
      [CONFIG_MAPS, `${CBOR};as=Table;g=meta.k8s.io;v=v1, ${JSON_TYPE}`],
    ]) {
      assert.equal((await send('GET', path, { accept })).type, JSON_TYPE);
    }
  });

  it('bodies: update, apply, delete options, a review', async () => {
    await send('POST', CONFIG_MAPS, { body: configMap('b') });
    const updated = await send('PUT', `${CONFIG_MAPS}/b`, { body: configMap('b', { key: 'two' }) });
    assert.deepEqual([updated.status, updated.value.data], [200, { key: 'two' }]);
    for (const [path, object] of [
      [CONFIG_MAPS, configMap('c')],
      [WIDGETS, widget('c', { size: 1 })],
    ]) {
      const apply = { body: object, contentType: APPLY };
      const applied = await send('PATCH', `${path}/c?fieldManager=me`, apply);
      assert.deepEqual([applied.status, applied.type], [201, CBOR]);
      assert.equal(applied.value.metadata.managedFields[0].operation, 'Apply');
      assert.equal((await send('PATCH', `${path}/c?fieldManager=me`, apply)).status, 200);
      const merged = await send('PATCH', `${path}/c`, {
        body: Buffer.from('{"metadata":{"labels":{"a":"b"}}}'),
        contentType: 'application/merge-patch+json',
      });
      assert.deepEqual(merged.value.metadata.labels, { a: 'b' });
    }
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'other' } };
    const kept = await send('DELETE', `${CONFIG_MAPS}/c`, { body: options });
    assert.deepEqual([kept.status, kept.value.reason], [409, 'Conflict']);
    const gone = await send('DELETE', `${CONFIG_MAPS}/c`, { body: { ...options, preconditions: {} } });
    assert.deepEqual([gone.status, gone.value.status], [200, 'Success']);
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec };
    const reviewed = await send('POST', REVIEWS, { body: review });
    assert.deepEqual([reviewed.status, reviewed.value.status.allowed], [201, true]);
  });

  it('a watch is a sequence of documents', async () => {
    const ending = new AbortController();
    const list = await send('GET', WIDGETS);
    const query = `watch=true&resourceVersion=${list.value.metadata.resourceVersion}`;
    const watch = await send('GET', `${WIDGETS}?${query}`, { signal: ending.signal });
    assert.equal(watch.status, 200);
    const { value: object } = await send('POST', WIDGETS, { body: widget('watched', {}) });
    const expected = encodeCbor({ type: 'ADDED', object });
    const received = [];
    let length = 0;
    for await (const chunk of watch.frames) {
      received.push(chunk);
      length += chunk.length;
      if (length >= expected.length) break;
    }
    ending.abort();
    assert.deepEqual(decodeCbor(Buffer.concat(received)).value, { type: 'ADDED', object });
  });

  it('what cannot be read is refused in words, at once', async () => {
    const unrecognized = (kind, reason) => `the object provided is unrecognized (must be of type ${kind}): ${reason}`;
    const cannotTell = (reason) => unrecognized('ConfigMap', `unable to determine group/version/kind: ${reason}`);
    const whole = encodeCbor(configMap('x'));
    const bodies = [
      [whole.subarray(0, whole.length - 1), /^.*: unexpected EOF \(d9d9f7.* \.\.\.\)$/],
      [Buffer.from('9a7fffffff00', 'hex'), cannotTell('unexpected EOF (9a7fffffff00)')],
      [
        Buffer.from('a2416101416102', 'hex'),
        cannotTell('cbor: found duplicate map key "a" at map element index 1 (a2416101416102)'),
      ],
      [Buffer.alloc(2_000_000, 0x9f), /cbor: exceeded max nested level 1000/],
      [Buffer.alloc(2_000_000, 0xd6), /cbor: exceeded max nested level 1000/],
      [Buffer.concat([whole, whole]), /bytes of extraneous data/],
      [Buffer.from('{"kind":"ConfigMap"}'), /unable to determine group\/version\/kind/],
    ];
    for (const [body, message] of bodies) {
      const answer = await send('POST', CONFIG_MAPS, { body });
      assert.deepEqual([answer.status, answer.type, answer.value.reason], [400, CBOR, 'BadRequest']);
      if (typeof message === 'string') assert.equal(answer.value.message, message);
      else assert.match(answer.value.message, message);
    }
    await refused(
      send('PATCH', `${CONFIG_MAPS}/x?fieldManager=me`, { body: Buffer.from('ff', 'hex'), contentType: APPLY }),
      400,
      'error decoding YAML: cbor: unexpected "break" code',
    );
    await refused(
      send('POST', CONFIG_MAPS, { body: { ...configMap('x'), surplus: 1 }, accept: CBOR }).then((answer) => {
        assert.equal(answer.status, 201, 'an unknown field is warned of');
        return send('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, { body: { ...configMap('y'), surplus: 1 } });
      }),
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "surplus"',
    );
    // A float that is whole is not an integer: 0.5 becomes 1.0.
    const body = Buffer.from(
      encodeCbor({ spec: { replicas: 0.5 } })
        .toString('hex')
        .replace('f93800', 'f93c00'),
      'hex',
    );
    const scale = await send('PUT', '/apis/apps/v1/namespaces/default/deployments/a/scale', { body });
    assert.match(scale.value.message, /cannot unmarshal number 1\.0 into Go struct field/);
  });

  it('lists of media types name it, and its stream', async () => {
    const listed = 'application/json, application/yaml, application/vnd.kubernetes.protobuf, application/cbor';
    const unsupported = await send('POST', CONFIG_MAPS, { body: Buffer.from('x'), contentType: 'text/plain' });
    await refused(
      Promise.resolve(unsupported),
      415,
      `the body of the request was in an unknown format - accepted media types include: ${listed}`,
    );
    const nothing = await send('GET', `${CONFIG_MAPS}/a`, { accept: 'image/png' });
    assert.match(nothing.value.message, new RegExp(`Available representations: ${listed}$`));
    // Upstream's `ListResource` refuses the media type of a list first, and then that of a stream.
    const table = await send('GET', `${CONFIG_MAPS}?watch=true`, { accept: `${CBOR};as=Table;g=meta.k8s.io;v=v1` });
    assert.equal(table.value.message, `only the following media types are accepted: ${listed}`);
    const yaml = await send('GET', `${CONFIG_MAPS}?watch=true`, { accept: 'application/yaml' });
    assert.match(
      yaml.bytes.toString(),
      /json;stream=watch,\s+application\/vnd\.kubernetes\.protobuf;stream=watch,\s+application\/cbor-seq'$/m,
    );
    await refused(
      send('PATCH', `${WIDGETS}/a`, { body: {}, contentType: 'application/strategic-merge-patch+json' }),
      415,
      'the body of the request was in an unknown format - accepted media types include: ' +
        `application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml, ${APPLY}`,
    );
  });
});

describe('without', () => {
  let server;
  const send = sender(() => server);
  before(async () => {
    server = await testServer({ controllers: '' });
  });
  after(async () => {
    await server.stop();
  });

  it('there is no CBOR', async () => {
    const answers = [
      await send('GET', CONFIG_MAPS),
      await send('POST', CONFIG_MAPS, { body: configMap('a'), accept: JSON_TYPE }),
      await send('PATCH', `${CONFIG_MAPS}/a?fieldManager=me`, {
        body: configMap('a'),
        contentType: APPLY,
        accept: JSON_TYPE,
      }),
    ];
    assert.deepEqual(
      answers.map(({ status, type }) => [status, type]),
      [406, 415, 415].map((status) => [status, JSON_TYPE]),
    );
    for (const { value } of answers) assert.ok(!value.message.includes('cbor'), value.message);
    for (const path of ['/openapi/v2', '/openapi/v3/api/v1']) {
      const { status, bytes } = await send('GET', path, { accept: JSON_TYPE });
      assert.equal(status, 200);
      assert.ok(!bytes.includes('cbor'), path);
    }
  });
});

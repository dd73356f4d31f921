import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { Cluster, definitionPath, eventually } from './cluster.mjs';
import { definition } from './definition.mjs';
import { answerOf, convert, converted, Webhook } from './webhook.mjs';

const text = { type: 'string' };
const schemaOf = (properties) => ({ openAPIV3Schema: { type: 'object', properties } });
const v1Schema = schemaOf({ host: text, port: text, kept: { type: 'string', default: 'stored' } });
const v2Schema = schemaOf({ address: text, kept: text, fresh: { type: 'string', default: 'no' } });
const base = (version) => `/apis/example.com/${version}/namespaces/default/things`;
const thing = (version, name, parts) => ({
  apiVersion: `example.com/${version}`,
  kind: 'Thing',
  metadata: { name },
  ...parts,
});

describe('custom resources that a webhook converts', { timeout: 600_000 }, () => {
  let cluster;
  let webhook;
  before(async () => {
    cluster = await Cluster.start();
    webhook = await Webhook.start();
  });
  after(async () => {
    await cluster.stop();
    await webhook.stop();
  });
  afterEach(async () => {
    webhook.answer = converted;
    await cluster.undefineAll();
    webhook.reviews = [];
  });

  const things = (conversion = webhook.conversion(), storage = 'v1') =>
    definition({
      versions: [
        { name: 'v1', storage: storage === 'v1', schema: v1Schema },
        { name: 'v2', storage: storage === 'v2', schema: v2Schema },
      ],
      spec: { conversion },
    });

  it('reads and writes in any version, and stores one', async () => {
    await cluster.define(things());
    const created = await cluster.send(201, 'POST', base('v2'), thing('v2', 'a', { address: 'here:1' }));
    assert.deepEqual([created.json.apiVersion, created.json.address], ['example.com/v2', 'here:1']);
    const [review] = webhook.reviews;
    assert.equal(review.path, '/convert?timeout=30s');
    assert.deepEqual([review.apiVersion, review.kind], ['apiextensions.k8s.io/v1', 'ConversionReview']);
    assert.equal(review.request.desiredAPIVersion, 'example.com/v1');
    const v1 = await cluster.get(`${base('v1')}/a`);
    assert.deepEqual([v1.apiVersion, v1.host, v1.port, v1.address], ['example.com/v1', 'here', '1', undefined]);
    assert.equal(v1.kept, 'stored', 'defaults of the version that is stored');
    const v2 = await cluster.get(`${base('v2')}/a`);
    assert.deepEqual([v2.address, v2.kept, v2.metadata.uid], ['here:1', 'stored', v1.metadata.uid]);
    assert.equal(v2.metadata.resourceVersion, v1.metadata.resourceVersion);

    const patched = await cluster.merge(`${base('v2')}/a`, { address: 'there:2' });
    assert.equal(patched.address, 'there:2');
    assert.equal((await cluster.get(`${base('v1')}/a`)).host, 'there');
    const replaced = { ...(await cluster.get(`${base('v2')}/a`)), address: 'far:3' };
    await cluster.send(200, 'PUT', `${base('v2')}/a`, replaced);
    const { items } = await cluster.get(base('v1'));
    assert.deepEqual(
      items.map(({ host, port }) => [host, port]),
      [['far', '3']],
    );
    await cluster.send(200, 'DELETE', `${base('v2')}/a`);
    await cluster.send(404, 'GET', `${base('v1')}/a`);
  });

  it('lists convert together what has another version, and nothing else', async () => {
    // Of a kind of its own: what followed the objects of another test goes on for a moment.
    const { spec } = things();
    await cluster.define(
      definition({ plural: 'items', kind: 'Item', versions: spec.versions, spec: { conversion: spec.conversion } }),
    );
    const items = (version) => base(version).replace('things', 'items');
    const item = (name) => ({ ...thing('v1', name, { host: name }), kind: 'Item' });
    for (const name of ['a', 'b', 'c']) await cluster.send(201, 'POST', items('v1'), item(name));
    const reviewed = () =>
      webhook.reviews.filter(({ request }) => request.objects.every(({ kind }) => kind === 'Item'));
    assert.equal(reviewed().length, 0, 'no request needs another version');
    const { items: listed, kind, apiVersion } = await cluster.get(items('v2'));
    assert.deepEqual([kind, apiVersion], ['ItemList', 'example.com/v2']);
    assert.deepEqual(
      listed.map(({ address, metadata }) => [metadata.name, address]),
      [
        ['a', 'a:'],
        ['b', 'b:'],
        ['c', 'c:'],
      ],
    );
    assert.deepEqual(
      reviewed().map(({ request }) => request.objects.length),
      [3],
    );
    await cluster.get(items('v2'));
    assert.equal(reviewed().length, 1, 'what is cached is not converted again');
  });

  it('watches in every version see every change', async () => {
    await cluster.define(things());
    await cluster.send(201, 'POST', base('v1'), thing('v1', 'a', { host: 'a' }));
    const watches = [];
    for (const version of ['v1', 'v2']) watches.push(await cluster.watch(`${base(version)}?watch=true`));
    for (let count = 0; count < 20; count++) await cluster.merge(`${base('v1')}/a`, { port: String(count) });
    await cluster.send(200, 'DELETE', `${base('v1')}/a`);
    for (const watch of watches) await eventually(() => watch.events.at(-1)?.type === 'DELETED', 'the end');
    const [old, fresh] = watches.map(({ events }) => events);
    assert.deepEqual(
      fresh.map(({ type, object }) => [type, object.metadata.resourceVersion, object.address]),
      old.map(({ type, object }) => [type, object.metadata.resourceVersion, `a:${object.port ?? ''}`]),
    );
    for (const watch of watches) watch.stop();
  });

  it('managers of several versions own what they have set', async () => {
    await cluster.define(things());
    const apply = (version, manager, parts, expected = 200) =>
      cluster.send(expected, 'PATCH', `${base(version)}/a?fieldManager=${manager}`, thing(version, 'a', parts), {
        'content-type': 'application/apply-patch+yaml',
      });
    await apply('v1', 'one', { host: 'h', port: '1' }, 201);
    await apply('v2', 'two', { fresh: 'yes' });
    const both = await cluster.get(`${base('v2')}/a`);
    assert.deepEqual(
      both.metadata.managedFields.map(({ manager, apiVersion }) => [manager, apiVersion]),
      [
        ['one', 'example.com/v1'],
        ['two', 'example.com/v2'],
      ],
    );
    const { json } = await apply('v2', 'two', { fresh: 'yes', address: 'other:1' }, 409);
    assert.match(json.message, /conflict with "one": \.host$/);
    await apply('v2', 'two', { fresh: 'yes', address: 'h:1' });

    webhook.answer = (review) => answerOf(review, [], { status: 'Failure', message: 'not today' });
    const refused = await apply('v1', 'one', { host: 'h', port: '2' }, 500);
    assert.match(refused.json.message, /failed: not today$/);
    const { metadata, port } = await cluster.merge(`${base('v1')}/a`, { port: '3' });
    assert.deepEqual([port, metadata.managedFields], ['3', undefined], 'an update goes on without managers');
  });

  it('the storage version can change: old objects are read, and migrate when they are written', async () => {
    await cluster.define(things());
    await cluster.send(201, 'POST', base('v1'), thing('v1', 'a', { host: 'h', port: '1' }));
    await cluster.redefine(things(webhook.conversion(), 'v2'));
    const path = definitionPath('things.example.com');
    await eventually(
      async () => (await cluster.get(path)).status.storedVersions.join() === 'v1,v2',
      'both versions to be stored ones',
    );
    const before = await cluster.get(`${base('v2')}/a`);
    assert.equal(before.address, 'h:1');
    const same = await cluster.send(200, 'PUT', `${base('v2')}/a`, before);
    assert.notEqual(same.json.metadata.resourceVersion, before.metadata.resourceVersion, 'written though unchanged');
    const again = await cluster.send(200, 'PUT', `${base('v2')}/a`, same.json);
    assert.equal(again.json.metadata.resourceVersion, same.json.metadata.resourceVersion, 'and then no more');
    await cluster.merge(`${path}/status`, { status: { storedVersions: ['v2'] } });
    assert.deepEqual((await cluster.get(path)).status.storedVersions, ['v2']);
  });

  it('asks in v1beta1 where the webhook names no other version that is known', async () => {
    await cluster.define(things(webhook.conversion({ conversionReviewVersions: ['v9', 'v1beta1', 'v1'] })));
    webhook.answer = (review) => {
      const { response } = converted(review);
      return { response: { ...response, uid: 'never looked at' } };
    };
    await cluster.send(201, 'POST', base('v2'), thing('v2', 'a', { address: 'h:1' }));
    assert.equal(webhook.reviews[0].apiVersion, 'apiextensions.k8s.io/v1beta1');
  });

  const prefix = 'conversion webhook for example.com/v1, Kind=Thing';
  const change = (metadata) => (review) =>
    answerOf(
      review,
      review.request.objects.map((object) => {
        const result = convert(object, review.request.desiredAPIVersion);
        return { ...result, metadata: { ...result.metadata, ...metadata } };
      }),
    );
  const hostile = [
    [
      'that says no',
      (review) => answerOf(review, [], { status: 'Failure', message: 'not today' }),
      `${prefix} failed: not today`,
    ],
    [
      'that does not say how it went',
      (review) => answerOf(review, [], {}),
      `${prefix} failed: response.result.status was '', not 'Success'`,
    ],
    ['without an answer', ({ apiVersion, kind }) => ({ apiVersion, kind }), `${prefix} failed: no response provided`],
    [
      'that answers another request',
      (review) => answerOf({ ...review, request: { uid: 'x' } }, []),
      /failed: expected response\.uid="[0-9a-f-]{36}", got "x"$/,
    ],
    [
      'of another type',
      (review) => ({ ...converted(review), apiVersion: 'example.com/v1' }),
      `${prefix} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got example.com/v1, Kind=ConversionReview`,
    ],
    ['that loses objects', (review) => answerOf(review, []), `${prefix} returned 0 objects, expected 1`],
    [
      'that answers in the version it was given',
      (review) => answerOf(review, review.request.objects),
      `${prefix} returned invalid object: invalid groupVersion (expected example.com/v2, received example.com/v1)`,
    ],
    ['that renames', change({ name: 'b' }), `${prefix} returned invalid object: must have the same name: a != b`],
    ['that changes the uid', change({ uid: '1' }), /returned invalid object: must have the same UID: \S+ != 1$/],
    [
      'whose labels are none',
      change({ labels: { a: 1 } }),
      /returned invalid metadata: metadata\.labels\[a\] must be a string/,
    ],
    [
      'whose labels are wrong',
      change({ labels: { 'a b': '' } }),
      /returned invalid metadata: metadata\.labels: Invalid value: "a b"/,
    ],
    ['that answers no JSON', () => 'no', /^conversion webhook for example.com\/v1, Kind=Thing failed: /],
    [
      'that answers without end',
      (_, response) => {
        const more = () => {
          while (response.write(' '.repeat(65536)));
          response.once('drain', more);
        };
        response.on('error', () => undefined);
        more();
      },
      /failed: Post ".*": the answer is longer than 16777216 bytes$/,
    ],
    [
      'that fails',
      (_, response) => {
        response.statusCode = 500;
        return 'oh no';
      },
      `${prefix} failed: an error on the server ("oh no") has prevented the request from succeeding`,
    ],
    ['that hangs up', (_, response) => void response.destroy(), /failed: Post "https:\/\/[^"]*\?timeout=30s": EOF$/],
  ];
  for (const [name, answer, expected] of hostile) {
    it(`a webhook ${name} is told of, and nothing is lost`, async () => {
      await cluster.define(things());
      await cluster.send(201, 'POST', base('v1'), thing('v1', 'a', { host: 'h', port: '1' }));
      webhook.answer = answer;
      const check = ({ json, status }) => {
        assert.equal(status, 500);
        assert.equal(json.kind, 'Status');
        if (typeof expected === 'string') assert.equal(json.message, expected);
        else assert.match(json.message, expected);
      };
      check(await cluster.client.send('GET', `${base('v2')}/a`));
      check(await cluster.client.send('GET', base('v2')));
      check(await cluster.client.send('GET', `${base('v2')}?watch=true`));
      assert.equal((await cluster.get(base('v1'))).items.length, 1);
      webhook.answer = converted;
      assert.equal((await cluster.get(`${base('v2')}/a`)).address, 'h:1');
    });
  }

  it("metadata is the webhook's no more than labels and annotations are", async () => {
    await cluster.define(things());
    await cluster.send(201, 'POST', base('v1'), thing('v1', 'a', { host: 'h' }));
    webhook.answer = change({ labels: { seen: 'yes' }, annotations: { a: 'b' }, generation: 99, finalizers: ['x/y'] });
    const { metadata } = await cluster.get(`${base('v2')}/a`);
    assert.deepEqual([metadata.labels, metadata.annotations], [{ seen: 'yes' }, { a: 'b' }]);
    assert.deepEqual([metadata.generation, metadata.finalizers], [1, undefined]);
  });

  it('a watch ends with the error of the first change that cannot be converted', async () => {
    await cluster.define(things());
    await cluster.send(201, 'POST', base('v1'), thing('v1', 'a', { host: 'h' }));
    const watch = await cluster.watch(`${base('v2')}?watch=true`);
    await eventually(() => watch.events.length === 1, 'the object');
    webhook.answer = (review) => answerOf(review, [], { status: 'Failure', message: 'not today' });
    await cluster.merge(`${base('v1')}/a`, { host: 'i' });
    await watch.ended;
    const [, { type, object }] = watch.events;
    assert.equal(type, 'ERROR');
    assert.deepEqual([object.kind, object.code, object.message], ['Status', 500, `${prefix} failed: not today`]);
    webhook.answer = converted;
    await eventually(async () => (await cluster.client.send('GET', base('v2'))).status === 200, 'the cache to be back');
  });

  it('a write that cannot be converted is refused, and nothing is stored', async () => {
    await cluster.define(things());
    webhook.answer = (review) => answerOf(review, [], { status: 'Failure', message: 'not today' });
    const { json } = await cluster.send(500, 'POST', base('v2'), thing('v2', 'a', { address: 'h:1' }));
    assert.equal(json.message, 'conversion webhook for example.com/v2, Kind=Thing failed: not today');
    assert.deepEqual((await cluster.get(base('v1'))).items, []);
  });

  it('a webhook that does not answer delays only requests that need it', async () => {
    await cluster.define(things());
    await cluster.send(201, 'POST', base('v1'), thing('v1', 'a', { host: 'h' }));
    const unanswered = [];
    webhook.answer = (review, response) => void unanswered.push([review, response]);
    const waiting = Array.from({ length: 50 }, () => cluster.client.send('GET', `${base('v2')}/a`));
    await eventually(() => unanswered.length >= 32, 'as many calls as there may be at once');
    await cluster.merge(`${base('v1')}/a`, { port: '1' });
    assert.equal((await cluster.get(base('v1'))).items.length, 1);
    assert.ok(unanswered.length < waiting.length, 'the others wait for their turn');
    webhook.answer = converted;
    for (const [review, response] of unanswered) response.end(JSON.stringify(converted(review)));
    for (const { status, json } of await Promise.all(waiting)) assert.deepEqual([status, json.host], [200, undefined]);
  });

  it('the errors of an absent webhook and of an untrusted one name its address', async () => {
    const gone = await Webhook.start();
    const { url } = gone;
    await gone.stop();
    const conversion = webhook.conversion();
    const at = (clientConfig) => ({ ...conversion, webhook: { ...conversion.webhook, clientConfig } });
    await cluster.define(things(at({ ...conversion.webhook.clientConfig, url })));
    await cluster.send(201, 'POST', base('v1'), thing('v1', 'a', { host: 'h' }));
    const refused = await cluster.send(500, 'GET', `${base('v2')}/a`);
    const post = `${prefix} failed: Post "${url}?timeout=30s"`;
    assert.equal(refused.json.message, `${post}: dial tcp 127.0.0.1:${new URL(url).port}: connect: connection refused`);
    await cluster.redefine(things(at({ url: webhook.url, caBundle: null })));
    await eventually(async () => {
      const { json } = await cluster.client.send('GET', `${base('v2')}/a`);
      return json.message?.endsWith('x509: certificate signed by unknown authority');
    }, 'a certificate that is not trusted');
    const service = { name: 'nowhere', namespace: 'default', path: '/convert' };
    await cluster.redefine(things(at({ service, url: null })));
    const named = `${prefix} failed: Post "https://nowhere.default.svc:443/convert?timeout=30s": service "nowhere" not found`;
    await eventually(
      async () => (await cluster.client.send('GET', `${base('v2')}/a`)).json.message === named,
      'the service to be named',
    );
  });
});

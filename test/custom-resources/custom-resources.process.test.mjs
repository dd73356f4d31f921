import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { Cluster, definitionPath, eventually } from './cluster.mjs';
import { definition } from './definition.mjs';

const base = '/apis/example.com/v1/namespaces/default';
const things = `${base}/things`;
const thing = (name, parts = {}) => ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, ...parts });
const objectOf = (properties, parts = {}) => ({ openAPIV3Schema: { type: 'object', properties, ...parts } });

describe('custom resources', { timeout: 600_000 }, () => {
  let cluster;
  before(async () => {
    cluster = await Cluster.start();
  });
  after(() => cluster.stop());
  afterEach(() => cluster.undefineAll());

  it('a name that is taken is waited for, and had when it is free', async () => {
    await cluster.define(definition({ names: { shortNames: ['th'] } }));
    const other = definition({ plural: 'thoughts', kind: 'Thought', names: { shortNames: ['th'] } });
    await cluster.send(201, 'POST', definitionPath(), other);
    const refused = await cluster.condition('thoughts.example.com', 'NamesAccepted', 'False');
    assert.deepEqual([refused.reason, refused.message], ['ShortNamesConflict', '"th" is already in use']);
    await cluster.send(404, 'GET', `${base}/thoughts`);
    await cluster.undefine('things.example.com');
    await cluster.condition('thoughts.example.com', 'Established', 'True');
    await cluster.get(`${base}/thoughts`);
    await cluster.undefine('thoughts.example.com');
  });

  it('a write of a collection that should name an object says so', async () => {
    await cluster.define(definition());
    for (const [method, type] of [
      ['PUT', 'application/json'],
      ['PATCH', 'application/merge-patch+json'],
    ]) {
      const { json } = await cluster.send(400, method, things, thing('a'), { 'content-type': type });
      assert.equal(json.message, 'name must be provided');
    }
  });

  it('every version shows every object, and the stored one is written', async () => {
    const properties = { size: { type: 'integer', default: 7 } };
    const versions = [
      { name: 'v1', schema: objectOf(properties) },
      { name: 'v1beta1', schema: objectOf({}), deprecated: true },
      { name: 'v2', schema: objectOf({}), served: false },
    ];
    await cluster.define(definition({ versions }));
    const v1beta1 = things.replace('v1', 'v1beta1');
    const written = await cluster.send(201, 'POST', v1beta1, { ...thing('a'), apiVersion: 'example.com/v1beta1' });
    assert.equal(written.headers.warning, '299 - "example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing"');
    assert.deepEqual([written.json.apiVersion, written.json.size], ['example.com/v1beta1', undefined]);
    const read = await cluster.get(`${things}/a`);
    assert.deepEqual([read.apiVersion, read.size], ['example.com/v1', 7]);
    await cluster.send(404, 'GET', things.replace('v1', 'v2'));
    const { status } = await cluster.get(definitionPath('things.example.com'));
    assert.deepEqual(status.storedVersions, ['v1']);
    const { versions: served } = await cluster.get('/apis/example.com');
    assert.deepEqual(
      served.map(({ version }) => version),
      ['v1', 'v1beta1'],
    );
  });

  it('an object that its managed fields would make too deep to be read is refused, and the others go on', async () => {
    const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    await cluster.define(definition({ versions: [{ name: 'v1', schema: { openAPIV3Schema: anything } }] }));
    const nested = (name, levels) =>
      `${JSON.stringify(thing(name)).slice(0, -1)},"spec":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    await cluster.send(201, 'POST', things, nested('deep', 980));
    const { json } = await cluster.send(400, 'POST', things, nested('deeper', 995));
    assert.match(json.message, /nests too deeply/);
    const { items } = await cluster.get(things);
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['deep'],
    );
    await cluster.send(200, 'DELETE', `${things}/deep`);
  });

  it('status and scale write their parts alone, and the generation counts the rest', async () => {
    const subresources = {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    };
    const integer = { type: 'object', properties: { replicas: { type: 'integer' }, note: { type: 'string' } } };
    const schema = objectOf({ spec: integer, status: integer });
    await cluster.define(definition({ versions: [{ schema, subresources }] }));
    const { json: made } = await cluster.send(
      201,
      'POST',
      things,
      thing('a', { spec: { replicas: 1 }, status: { replicas: 9 } }),
    );
    assert.deepEqual([made.metadata.generation, made.status], [1, undefined]);
    const reported = await cluster.merge(`${things}/a/status`, { spec: { replicas: 5 }, status: { replicas: 2 } });
    assert.deepEqual(
      [reported.spec, reported.status, reported.metadata.generation],
      [{ replicas: 1 }, { replicas: 2 }, 1],
    );
    const scale = await cluster.merge(`${things}/a/scale`, { spec: { replicas: 3 } });
    assert.deepEqual([scale.kind, scale.spec, scale.status], ['Scale', { replicas: 3 }, { replicas: 2 }]);
    assert.equal((await cluster.get(`${things}/a`)).metadata.generation, 2);
  });

  it('a changed definition takes effect at once, and other watches go on', async () => {
    await cluster.define(definition({ versions: [{ schema: objectOf({}) }] }));
    await cluster.define(definition({ plural: 'others', kind: 'Other' }));
    const [own, other] = await Promise.all([
      cluster.watch(`${things}?watch=1`),
      cluster.watch(`${base}/others?watch=1`),
    ]);
    assert.equal((await cluster.send(201, 'POST', things, thing('a', { size: 1 }))).json.size, undefined);
    await cluster.redefine(definition({ versions: [{ schema: objectOf({ size: { type: 'integer' } }) }] }));
    assert.equal((await cluster.merge(`${things}/a`, { size: 1 })).size, 1);
    assert.equal(await own.ended, true, 'the stream has an end');
    await cluster.send(201, 'POST', `${base}/others`, { ...thing('b'), kind: 'Other' });
    await eventually(() => other.events.length > 0, 'the event of another resource');
    assert.equal(other.over, false);
    other.stop();
    await cluster.undefine('things.example.com');
  });

  it('a definition goes when its objects are gone, and is there again at once', async () => {
    await cluster.define(definition());
    await cluster.send(201, 'POST', things, thing('free'));
    const held = thing('held');
    held.metadata.finalizers = ['example.com/hold'];
    await cluster.send(201, 'POST', things, held);
    const watch = await cluster.watch(`${things}?watch=1`);
    await cluster.send(200, 'DELETE', definitionPath('things.example.com'));
    const { reason } = await cluster.condition('things.example.com', 'Terminating', 'True');
    assert.match(reason, /InstanceDeletion/);
    await eventually(async () => (await cluster.get(things)).items.length === 1, 'the free object to go');
    const { json: refused } = await cluster.send(405, 'POST', things, thing('late'));
    assert.match(refused.message, /create not allowed while custom resource definition is terminating/);
    await cluster.merge(`${things}/held`, { metadata: { finalizers: null } });
    await cluster.gone('things.example.com');
    assert.equal(await watch.ended, true, 'the stream has an end');
    assert.deepEqual(
      watch.events.slice(-1).map(({ type, object }) => [type, object.metadata.name]),
      [['DELETED', 'held']],
    );
    await cluster.send(404, 'GET', things);
    await cluster.define(definition());
    assert.deepEqual((await cluster.get(things)).items, []);
    await cluster.send(201, 'POST', things, thing('free'));
  });

  it('selectors know the fields that are selectable, and no others', async () => {
    const schema = objectOf({ spec: { type: 'object', properties: { color: { type: 'string' } } } });
    await cluster.define(definition({ versions: [{ schema, selectableFields: [{ jsonPath: '.spec.color' }] }] }));
    await cluster.send(201, 'POST', things, thing('a', { spec: { color: 'red' } }));
    await cluster.send(201, 'POST', things, thing('b', { spec: { color: 'blue' } }));
    const { items } = await cluster.get(`${things}?fieldSelector=spec.color%3Dred`);
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['a'],
    );
    const { json } = await cluster.send(400, 'GET', `${things}?fieldSelector=spec.size%3D1`);
    assert.match(json.message, /field label not supported: spec\.size/);
  });

  it('documents follow a change within a second, those of its group and version alone', async () => {
    const other = definition({ plural: 'others', kind: 'Other', versions: [{ name: 'v2' }] });
    await cluster.define(other);
    const hashes = async () => (await cluster.get('/openapi/v3')).paths;
    const before = await hashes();
    assert.ok('apis/example.com/v2' in before);
    const described = objectOf({ spec: { type: 'object', description: 'What is wanted.' } });
    await cluster.define(definition({ versions: [{ schema: described }] }));
    const after = await hashes();
    const changed = Object.keys(after).filter(
      (path) => after[path].serverRelativeURL !== before[path]?.serverRelativeURL,
    );
    assert.deepEqual(
      changed.sort(),
      ['apis/example.com', 'apis/example.com/v1'].filter((path) => path in after),
    );
    const v3 = await cluster.get('/openapi/v3/apis/example.com/v1');
    assert.equal(v3.components.schemas['com.example.v1.Thing'].properties.spec.description, 'What is wanted.');
    const v2 = await cluster.get('/openapi/v2');
    assert.equal(v2.definitions['com.example.v1.Thing'].properties.spec.description, 'What is wanted.');
    const { resources } = await cluster.get('/apis/example.com/v1');
    assert.deepEqual(
      resources.map(({ name }) => name),
      ['things'],
    );
    await cluster.undefine('things.example.com');
    await cluster.undefine('others.example.com');
    assert.equal('apis/example.com/v1' in (await hashes()), false);
    await cluster.send(404, 'GET', '/apis/example.com');
  });
});

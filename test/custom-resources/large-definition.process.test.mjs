import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Cluster, definitionPath } from './cluster.mjs';
import { largeDefinition, toYaml } from './large-definition.mjs';

const name = 'fleets.example.com';
const fleets = '/apis/example.com/v1/namespaces/default/fleets';
const yaml = { 'content-type': 'application/yaml' };
const fleet = (spec) => ({ apiVersion: 'example.com/v1', kind: 'Fleet', metadata: { name: 'a' }, spec });

describe('a definition of thousands of lines', { timeout: 600_000 }, () => {
  let cluster;
  before(async () => {
    cluster = await Cluster.start();
  });
  after(() => cluster.stop());

  it('is taken in YAML, and written back as it was', async () => {
    const text = toYaml(largeDefinition());
    assert.ok(text.split('\n').length > 5000, `${text.split('\n').length} lines`);
    await cluster.send(201, 'POST', definitionPath(), text, yaml);
    await cluster.condition(name, 'Established', 'True');
    assert.deepEqual((await cluster.get(definitionPath(name))).spec.versions, largeDefinition().spec.versions);
  });

  it('is applied to objects in all its depth', async () => {
    const made = await cluster.send(201, 'POST', fleets, fleet({ component0: { part7: { labels: { a: 'b' } } } }));
    assert.deepEqual(made.json.spec.component0, { part7: { labels: { a: 'b' }, replicas: 1, storage: '1Gi' } });
    assert.deepEqual(Object.keys(made.json.spec).length, 12, 'an empty object for each that has this default');
    const part3 = { pullPolicy: 'Often', replicas: -1, env: [{ name: 'x' }, { name: 'x' }], unknown: 1 };
    const refused = await cluster.send(422, 'POST', fleets, fleet({ component0: {}, component11: { part3 } }));
    assert.deepEqual(
      refused.json.details.causes.map(({ field }) => field),
      ['pullPolicy', 'replicas', 'env[1]'].map((field) => `spec.component11.part3.${field}`),
    );
    const strict = await cluster.send(
      400,
      'POST',
      `${fleets}?fieldValidation=Strict`,
      fleet({ component11: { part3 } }),
    );
    assert.match(strict.json.message, /unknown field "spec\.component11\.part3\.unknown"/);
  });

  it('is in the documents', async () => {
    for (const [path, key] of [
      ['/openapi/v2', 'definitions'],
      ['/openapi/v3/apis/example.com/v1', 'components'],
    ]) {
      const { [key]: parts } = await cluster.get(path);
      const { spec } = (parts.schemas ?? parts)['com.example.v1.Fleet'].properties;
      assert.equal(spec.properties.component11.properties.part7.properties.image.description, 'What runs.');
    }
  });

  it('takes nothing with it when it goes', async () => {
    const heap = await heapAfter(3);
    const grown = (await heapAfter(10)) - heap;
    assert.ok(grown < 10e6, `the heap has grown by ${Math.round(grown / 1e6)} MB in 10 rounds`);
  });

  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc');

  async function heapAfter(rounds) {
    for (let round = 0; round < rounds; round++) {
      await cluster.undefineAll();
      await cluster.define(largeDefinition());
      await cluster.send(201, 'POST', fleets, fleet({ component0: {} }));
      await cluster.get('/openapi/v2');
    }
    // Objects of a definition that has changed are kept for requests under way.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    collect();
    return process.memoryUsage().heapUsed;
  }
});

import assert from 'node:assert/strict';
import { platform } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { definition } from '../custom-resources/definition.mjs';
import { isFull } from './full-size.mjs';
import { MeasuredServer } from './measured-server.mjs';

const MIB = 1024 * 1024;
const CEILING = 512 * MIB;
const CLIENTS = isFull ? 120 : 40;
/** A list of them has 6 MB. */
const OBJECTS = isFull ? 3000 : 500;
const OBJECT_BYTES = 6_000_000 / OBJECTS;
const CREATED_AT_ONCE = 50;
const configMaps = '/api/v1/namespaces/default/configmaps';

const configMap = (name, bytes) =>
  JSON.stringify({ metadata: { name, labels: { app: 'a' } }, data: { padding: 'x'.repeat(bytes) } });

describe('a server with a memory ceiling', { timeout: isFull ? 1_200_000 : 300_000 }, () => {
  let server;
  let client;
  let largest = 0;

  before(async () => {
    // The heap limit that Node.js chooses in a container of this size.
    const nodeOptions = [`--max-old-space-size=${CEILING / MIB / 2}`];
    server = await MeasuredServer.start({ maxMemoryBytes: CEILING, nodeOptions });
    client = server.client;
  });
  after(() => server.stop());

  /** Sends all requests at once; returns the count of each status. Each 429 must have a Retry-After. */
  async function storm(request) {
    const statuses = new Map();
    const watch = setInterval(() => {
      largest = Math.max(largest, server.memory());
    }, 20);
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, index) => {
        const { status, headers, json } = await request(index);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status !== 429) return;
        assert.equal(json.reason, 'TooManyRequests');
        assert.ok(Number(headers['retry-after']) > 0);
      }),
    );
    clearInterval(watch);
    return statuses;
  }

  const reserved = async () => {
    const { text } = await client.send('GET', '/metrics');
    return Number(/^binnacle_memory_reserved_bytes (\d+)/m.exec(text)[1]);
  };

  it('answers or refuses every one of many large requests, and stays below the ceiling', {
    skip: platform() === 'linux' ? false : 'memory is read out of /proc',
  }, async () => {
    for (let from = 0; from < OBJECTS; from += CREATED_AT_ONCE) {
      const names = Array.from({ length: CREATED_AT_ONCE }, (_, index) => `small-${from + index}`);
      const created = await Promise.all(
        names.map((name) => client.send('POST', configMaps, configMap(name, OBJECT_BYTES))),
      );
      for (const { status } of created) assert.equal(status, 201);
    }
    const body = configMap('large', 1_000_000);
    const storms = [
      [
        'creates',
        (index) => client.send('POST', configMaps, body.replace('large', `large-${index % 8}`)),
        [201, 409, 429],
      ],
      [
        'documents of many small values',
        () => client.send('POST', configMaps, `[${'{},'.repeat(900_000)}{}]`),
        [400, 422, 429],
      ],
      ['lists', () => client.send('GET', configMaps), [200, 429]],
      [
        'tables',
        () => client.send('GET', configMaps, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
        [200, 429],
      ],
    ];
    for (const [name, request, allowed] of storms) {
      const statuses = await storm(request);
      console.log(`${name}: ${JSON.stringify([...statuses])}, at most ${Math.round(largest / MIB)} MiB`);
      for (const status of statuses.keys()) assert.ok(allowed.includes(status), `${name}: ${status}`);
      assert.ok(statuses.get(429) !== CLIENTS, `${name}: some are served`);
    }
    assert.ok(largest < CEILING, `${Math.round(largest / MIB)} MiB`);
    assert.equal(await reserved(), 0, 'all room is given back; a look at the metrics takes none');
    assert.equal((await client.send('GET', `${configMaps}/small-0`)).status, 200);
  });

  it('counts the memory of a custom resource watch like any other', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const widget = definition({
      group: 'hostile.example.com',
      plural: 'widgets',
      kind: 'Widget',
      versions: [{ schema }],
    });
    await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', JSON.stringify(widget));
    const path = '/apis/hostile.example.com/v1/namespaces/default/widgets';
    while ((await client.send('GET', path)).status !== 200);
    const costOfWatch = async () => {
      const { request, answer } = client.open('GET', `${path}?watch=1`);
      request.end();
      await answer;
      const cost = await reserved();
      request.destroy();
      while ((await reserved()) > 0);
      return cost;
    };
    const cost = await costOfWatch();
    for (const name of ['a', 'b', 'c']) {
      const object = { apiVersion: 'hostile.example.com/v1', kind: 'Widget', metadata: { name } };
      assert.equal((await client.send('POST', path, JSON.stringify(object))).status, 201);
    }
    assert.equal((await costOfWatch()) - cost, 3 * 220);
  });
});

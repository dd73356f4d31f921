import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HostileClient } from './client.mjs';

const MIB = 1024 * 1024;
const CEILING = 512 * MIB;
const CLIENTS = 120;
const OBJECTS = 3000;
const configMaps = '/api/v1/namespaces/default/configmaps';
const program = fileURLToPath(new URL('./memory-ceiling-server.mjs', import.meta.url));

const configMap = (name, bytes) =>
  JSON.stringify({ metadata: { name, labels: { app: 'a' } }, data: { padding: 'x'.repeat(bytes) } });

describe('a server with a ceiling for its memory', { timeout: 300_000 }, () => {
  let child;
  let client;
  let largest = 0;

  before(async () => {
    child = fork(program, [String(CEILING)], {
      // What Node.js takes for itself in a container of this size.
      execArgv: [`--max-old-space-size=${CEILING / MIB / 2}`],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [server] = await once(child, 'message');
    client = new HostileClient({ url: server.url, clientConfig: { token: server.token } });
  });
  after(async () => {
    const exited = once(child, 'exit');
    child.send('stop');
    await exited;
  });

  /** Bytes that no file is behind. */
  function anonymous() {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(/RssAnon:\s+(\d+)/.exec(status)[1]) * 1024;
  }

  /** Sends all at once; answers how often each status came. Each 429 must say when to come back. */
  async function storm(request) {
    const statuses = new Map();
    const watch = setInterval(() => {
      largest = Math.max(largest, anonymous());
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

  it('answers or refuses every one of many large requests, and stays below it', {
    skip: platform() === 'linux' ? false : 'memory is read out of /proc',
  }, async () => {
    for (let index = 0; index < OBJECTS; index++) {
      const { status } = await client.send('POST', configMaps, configMap(`small-${index}`, 2000));
      assert.equal(status, 201);
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
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { start } from 'binnacle';
import { bodies, targets } from './bodies.mjs';
import { HostileClient } from './client.mjs';

const configMaps = '/api/v1/namespaces/default/configmaps';
/** Generous, for busy machines: without the protection a test takes minutes, or for ever. */
const LIMIT_MS = 5000;

describe('hostile clients', () => {
  let server;
  let client;
  const failures = [];

  before(async () => {
    server = await start({ inMemory: true, controllers: '', featureGates: 'CBORServingAndStorage=true' });
    client = new HostileClient(server);
    await client.send('POST', configMaps, '{"metadata":{"name":"target"},"data":{"a":"b"}}');
    process.on('uncaughtException', (error) => failures.push(error));
  });
  after(async () => {
    assert.deepEqual(failures, []);
    await server.stop();
  });

  async function assertAlive() {
    const { status, milliseconds } = await client.send('GET', `${configMaps}/target`);
    assert.equal(status, 200);
    assert.ok(milliseconds < LIMIT_MS, `an ordinary request took ${milliseconds} ms`);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  }

  function judge(answer, { status, says }) {
    const { json, text } = answer;
    assert.equal(answer.status, status, text.slice(0, 300));
    assert.ok(answer.milliseconds < LIMIT_MS, `took ${answer.milliseconds} ms`);
    if (status >= 400 && text !== '404 page not found\n') {
      assert.equal(json?.kind, 'Status', text.slice(0, 300));
      assert.equal(json.code, status);
      assert.equal(json.status, 'Failure');
    }
    if (says !== undefined) assert.ok(json.message.includes(says), json.message.slice(0, 300));
  }

  for (const { name, method = 'POST', path, body, type, headers = {}, ...expected } of bodies) {
    it(`send ${name}`, async () => {
      const types = type === undefined ? {} : { 'content-type': type };
      judge(await client.send(method, path, body, { ...types, ...headers }), expected);
      await assertAlive();
    });
  }

  for (const { method = 'GET', path, headers, ...expected } of targets) {
    const shown = path.length > 90 ? `${path.slice(0, 90)}... of ${path.length} characters` : path;
    const by = headers === undefined ? '' : ` with a strange ${Object.keys(headers)[0]}`;
    it(`request ${method} ${shown}${by}`, async () => {
      judge(await client.send(method, path, undefined, headers), expected);
      await assertAlive();
    });
  }

  it('send a path of two million characters, and are refused before its end', async () => {
    // A client that is still sending may see the connection close before it reads the answer.
    const refused = client.send('GET', `${configMaps}?x=${'a'.repeat(2_000_000)}`).then(
      ({ status }) => status,
      (error) => error.code,
    );
    assert.ok([431, 'ECONNRESET', 'EPIPE'].includes(await refused));
    await assertAlive();
  });

  const exists = async (name) => (await client.send('GET', `${configMaps}/${name}`)).status === 200;

  it('announce a body and disconnect, and nothing is created', async () => {
    const whole = '{"metadata":{"name":"gone"}}';
    for (const headers of [{ 'content-length': String(whole.length + 1) }, { 'transfer-encoding': 'chunked' }]) {
      const { request } = client.open('POST', configMaps, { 'content-type': 'application/json', ...headers });
      request.write(whole);
      await pause(50);
      request.destroy();
    }
    await pause(50);
    assert.equal(await exists('gone'), false);
    await assertAlive();
  });

  it('reset HTTP/2 streams half-way, and nothing is created', async () => {
    const { session, open } = client.session();
    for (let index = 0; index < 50; index++) {
      const body = `{"metadata":{"name":"reset-${index}"}}`;
      // The client may end a stream before it resets it. The announced length says that there should have been more.
      const length = { 'content-length': String(body.length + 1) };
      const stream = open({ ':method': 'POST', ':path': configMaps, 'content-type': 'application/json', ...length });
      stream.write(body);
      stream.close(8);
    }
    await pause(100);
    const whole = open({ ':method': 'POST', ':path': configMaps, 'content-type': 'application/json' });
    whole.end('{"metadata":{"name":"reset-not"}}');
    const head = await new Promise((resolve) => whole.once('response', resolve));
    assert.equal(head[':status'], 201);
    session.destroy();
    for (let index = 0; index < 50; index += 7) assert.equal(await exists(`reset-${index}`), false);
    await assertAlive();
  });

  it('open and reset streams as fast as they can', async () => {
    const { session, open } = client.session();
    for (let index = 0; index < 2000 && !session.destroyed; index++) {
      open({ ':path': `${configMaps}?watch=1` }).close(8);
    }
    await pause(100);
    session.destroy();
    await assertAlive();
  });

  it('disconnect in the middle of a watch', async () => {
    const { session, open } = client.session();
    const streams = Array.from({ length: 50 }, () => open({ ':path': `${configMaps}?watch=1` }));
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('response', resolve))));
    session.destroy();
    const watches = Array.from({ length: 20 }, () => client.open('GET', `${configMaps}?watch=1`));
    for (const { request } of watches) request.end();
    await Promise.all(watches.map(({ answer }) => answer));
    for (const { request } of watches) request.destroy();
    await client.send('PATCH', `${configMaps}/target`, '{"data":{"a":"c"}}', {
      'content-type': 'application/merge-patch+json',
    });
    await assertAlive();
  });

  it('do not read their answers, and cost no more than others that do', async () => {
    const value = 'x'.repeat(200_000);
    for (let index = 0; index < 20; index++) {
      await client.send('POST', configMaps, JSON.stringify({ metadata: { name: `large-${index}` }, data: { value } }));
    }
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const stalled = Array.from({ length: 30 }, () => client.open('GET', `${configMaps}?watch=1`));
    for (const { request, answer } of stalled) {
      request.end();
      (await answer).pause();
    }
    await pause(200);
    const grown = process.memoryUsage().rss - before;
    // Both ends are in this process. The answers would take 120 MB on each side.
    assert.ok(grown < 100_000_000, `${Math.round(grown / 1e6)} MB for 30 clients that do not read`);
    for (const { request } of stalled) request.destroy();
    await client.send('DELETE', configMaps);
    await client.send('POST', configMaps, '{"metadata":{"name":"target"}}');
    await assertAlive();
  });

  it('speak an unknown protocol', async () => {
    for (const protocol of ['h2', 'http/1.1']) {
      for (const noise of [
        Buffer.alloc(10_000, 0xff),
        Buffer.from('GET / HTTP/9.9\r\n\r\n'),
        Buffer.from('PRI * HTTP/2.0\r\n'),
      ]) {
        const socket = await client.raw(protocol);
        socket.write(noise);
        await pause(20);
        socket.destroy();
      }
    }
    await assertAlive();
  });

  it('connect and send nothing, one byte at a time, or half a request', async () => {
    const silent = await Promise.all(Array.from({ length: 50 }, () => client.raw('http/1.1')));
    const slow = await client.raw('http/1.1');
    for (const character of 'GET /readyz HTTP/1.1\r\nhost: a\r\n') {
      slow.write(character);
      await pause(1);
    }
    const half = await client.raw('http/1.1');
    half.end('POST /api HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nabc');
    await assertAlive();
    for (const socket of [...silent, slow, half]) socket.destroy();
  });

  it('smuggle requests', async () => {
    const socket = await client.raw('http/1.1');
    const received = [];
    socket.on('data', (chunk) => received.push(chunk));
    socket.write(
      'POST /api HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /readyz HTTP/1.1\r\nhost: a\r\n\r\n',
    );
    await pause(100);
    socket.destroy();
    assert.match(Buffer.concat(received).toString(), /^HTTP\/1\.1 400 /);
    await assertAlive();
  });

  it('race for one object, and no update is lost', async () => {
    const path = `${configMaps}/race`;
    await client.send('POST', configMaps, '{"metadata":{"name":"race"},"data":{}}');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        client.send('PATCH', path, `{"data":{"k${index}":"v"}}`, { 'content-type': 'application/merge-patch+json' }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const { json } = await client.send('GET', path);
    assert.equal(Object.keys(json.data).length, 60);
  });
});

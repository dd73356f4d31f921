/**
 * What a fresh server costs a test: the time until it is ready, memory, and a number of tests one after the other, each with a server of its own
 * on which it creates and reads a ConfigMap. For `testServer()` and its forks in this process, for `binnacle test-servers` as the kits of other
 * languages use it, for `binnacle serve`, and with `--kube-apiserver PROGRAM` for that with an etcd, as envtest starts them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { testServer } from 'binnacle/testing';
import { median, megabytes, print, toDigits } from '../support/figures.mjs';
import { memoryBytesOf } from '../support/processes.mjs';
import { root, Server, Store } from '../support/server.mjs';
import { startUpstream } from '../support/upstream.mjs';

const { values: options } = parseArgs({
  options: {
    tests: { type: 'string', default: '100' },
    'process-tests': { type: 'string', default: '10' },
    'kube-apiserver': { type: 'string' },
  },
});
const tests = Number(options.tests);
const processTests = Number(options['process-tests']);

await inProcess();
await testServersProcess();
await measure('binnacle serve --in-memory, a process each', processTests, startCommand);
const program = options['kube-apiserver'];
if (program !== undefined) {
  await measure('kube-apiserver and etcd, two processes each', processTests, () => startReference(program));
}

async function inProcess() {
  const started = performance.now();
  const base = await testServer({ controllers: '' });
  print({ figure: 'testServer(), the first', startMilliseconds: Math.round(performance.now() - started) });
  await measure('testServer(), a fork each', tests, async () => connected(await base.fork()));
  await base.stop();
}

async function testServersProcess() {
  const started = performance.now();
  const program = join(root, 'packages/binnacle/bin/binnacle.js');
  const child = spawn(process.execPath, [program, 'test-servers'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = async (name, fields) => {
    child.stdin.write(`${JSON.stringify({ id: 1, call: name, ...fields })}\n`);
    return JSON.parse((await answers.next()).value).result;
  };
  const base = await call('start', {});
  print({ figure: 'binnacle test-servers, the first', startMilliseconds: Math.round(performance.now() - started) });
  await measure('binnacle test-servers, a fork each', tests, async () => {
    const { url, server, certificateAuthority, clientCertificate, clientKey } = await call('fork', {
      server: base.server,
    });
    return {
      send: sender(url, { ca: certificateAuthority, cert: clientCertificate, key: clientKey }),
      residentBytes: () => memoryBytesOf(child.pid, 'VmRSS'),
      stop: () => call('stop', { server }),
    };
  });
  child.stdin.end();
  await once(child, 'exit');
}

async function startCommand() {
  const store = await Store.open('memory');
  const server = await Server.start(store);
  const client = server.connect();
  return {
    send: async (method, path, expected, body) => void (await client.send(method, path, body)),
    residentBytes: () => server.residentBytes(),
    stop: async () => {
      client.close();
      await server.stop();
      await store.close();
    },
  };
}

function connected(server) {
  const { certificateAuthority: ca, clientCertificate: cert, clientKey: key } = server.clientConfig;
  return {
    send: sender(server.url, { ca, cert, key }),
    residentBytes: () => memoryBytesOf(process.pid, 'VmRSS'),
    stop: () => server.stop(),
  };
}

async function startReference(program) {
  const { url, token, memoryBytes, stop } = await startUpstream(program);
  return {
    send: sender(url, { rejectUnauthorized: false }, token),
    residentBytes: () => memoryBytes('VmRSS'),
    stop,
  };
}

/** Runs tests, each with a server of its own, and prints medians. */
async function measure(figure, count, start) {
  const starts = [];
  const memory = [];
  const began = performance.now();
  for (let test = 0; test < count; test++) {
    const started = performance.now();
    const server = await start();
    starts.push(performance.now() - started);
    const path = '/api/v1/namespaces/default/configmaps';
    const body = JSON.stringify({ metadata: { name: 'a' } });
    await server.send('POST', path, 201, body);
    await server.send('GET', `${path}/a`, 200);
    memory.push(server.residentBytes());
    await server.stop();
  }
  const seconds = (performance.now() - began) / 1000;
  print({
    figure,
    tests: count,
    startMilliseconds: Math.round(median(starts)),
    residentMegabytes: megabytes(median(memory)),
    secondsOf100Tests: toDigits((seconds * 100) / count, 1),
  });
}

/** Sends each request over a connection of its own, as a test's first ones. */
function sender(url, tls, token) {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return async (method, path, expected, body) => {
    const sent = request(`${url}${path}`, { ...tls, method, headers, agent: false });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    answer.resume();
    await once(answer, 'end');
    if (answer.statusCode !== expected) throw new Error(`${method} ${path}: ${answer.statusCode}`);
  };
}

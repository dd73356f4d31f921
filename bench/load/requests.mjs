/**
 * CPU and time per request of a Binnacle server in a process of its own. The client's CPU is not counted.
 * Figures: microseconds of server CPU (user and system) and of wall time per request.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '2000' },
    kilobytes: { type: 'string', default: '4' },
    watchers: { type: 'string', default: '100' },
    'in-memory': { type: 'boolean', default: false },
  },
});
const count = Number(options.objects);
const padding = 'x'.repeat(Number(options.kilobytes) * 1024 - 600);
const IN_FLIGHT = 64;
const TICKS_PER_SECOND = 100;
const path = '/api/v1/namespaces/default/configmaps';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
const kubeconfig = join(folder, 'kubeconfig');
const server = spawn(
  process.execPath,
  [
    join(root, 'packages/binnacle/dist/cli/main.js'),
    'serve',
    ...(options['in-memory'] ? ['--in-memory'] : ['--data-dir', join(folder, 'data')]),
    '--secure-port',
    '0',
    '--write-kubeconfig',
    kubeconfig,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
try {
  const url = await servedAt(server);
  const session = connect(url, clientOptions(readFileSync(kubeconfig, 'utf8')));
  await measureAll(session);
  session.close();
} finally {
  server.kill('SIGTERM');
  await new Promise((done) => server.once('exit', done));
  rmSync(folder, { recursive: true });
}

/** @param {import('node:http2').ClientHttp2Session} session */
async function measureAll(session) {
  const object = (index, generation) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `object-${index}`, labels: { app: 'bench', shard: `${index % 10}` } },
      data: { generation: `${generation}`, padding },
    });
  const send = (method, target, body, type = 'application/json') => request(session, method, target, body, type);

  await measure('create', count, (index) => send('POST', path, object(index, 0)));
  await measure('get', count * 2, (index) => send('GET', `${path}/object-${index % count}`));
  await measure('update', count, (index) => send('PUT', `${path}/object-${index}`, object(index, 1)));
  await measure('merge patch', count, (index) =>
    send('PATCH', `${path}/object-${index}`, '{"data":{"generation":"2"}}', 'application/merge-patch+json'),
  );
  await measure(`list of ${count}`, 20, () => send('GET', path), 1);

  const watchers = Number(options.watchers);
  const events = 200;
  const version = await currentVersion(session);
  const watching = Array.from({ length: watchers }, () => watchFor(session, version, events));
  await measure(
    `watch delivery, ${watchers} watchers, its share of the writes included`,
    watchers * events,
    undefined,
    IN_FLIGHT,
    async () => {
      for (let index = 0; index < events; index++)
        await send('PUT', `${path}/object-${index % count}`, object(index, 3 + index));
      await Promise.all(watching);
    },
  );
  await measure('delete', count, (index) => send('DELETE', `${path}/object-${index}`));
  print({ figure: 'resident memory', megabytes: Math.round(residentBytes() / 2 ** 20) });
}

async function measure(figure, requests, one, inFlight = IN_FLIGHT, all) {
  const cpu = cpuSeconds();
  const start = performance.now();
  if (all !== undefined) await all();
  else {
    let next = 0;
    const worker = async () => {
      while (next < requests) await one(next++);
    };
    await Promise.all(Array.from({ length: Math.min(inFlight, requests) }, worker));
  }
  const wall = (performance.now() - start) * 1000;
  const used = (cpuSeconds() - cpu) * 1e6;
  print({
    figure,
    requests,
    cpuMicroseconds: Math.round(used / requests),
    wallMicroseconds: Math.round(wall / requests),
  });
}

function request(session, method, target, body, type) {
  return new Promise((done, failed) => {
    const stream = session.request({
      ':method': method,
      ':path': target,
      accept: 'application/json',
      'content-type': type,
    });
    let status = 0;
    let size = 0;
    stream.on('response', (headers) => {
      status = Number(headers[':status']);
    });
    stream.on('data', (chunk) => {
      size += chunk.length;
    });
    stream.on('end', () => (status < 300 ? done(size) : failed(new Error(`${method} ${target}: ${status}`))));
    stream.on('error', failed);
    stream.end(body);
  });
}

/** Settles when so many events after the version have come. */
function watchFor(session, version, events) {
  return new Promise((done, failed) => {
    const stream = session.request({ ':path': `${path}?watch=1&resourceVersion=${version}` });
    let lines = 0;
    stream.on('error', failed);
    stream.on('data', (chunk) => {
      for (const byte of chunk) if (byte === 0x0a) lines++;
      if (lines < events) return;
      stream.close();
      done();
    });
  });
}

function currentVersion(session) {
  return new Promise((done, failed) => {
    const stream = session.request({ ':path': `${path}?limit=1` });
    let text = '';
    stream.on('data', (chunk) => {
      text += chunk;
    });
    stream.on('error', failed);
    stream.on('end', () => done(JSON.parse(text).metadata.resourceVersion));
  });
}

function cpuSeconds() {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function residentBytes() {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) * 1024;
}

function servedAt(child) {
  return new Promise((done, failed) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const url = /https:\/\/\S+/.exec(text)?.[0];
      if (url !== undefined && text.includes('\n')) done(url);
    });
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}`)));
  });
}

function clientOptions(text) {
  const field = (name) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(text)[1], 'base64');
  return {
    ca: field('certificate-authority-data'),
    cert: field('client-certificate-data'),
    key: field('client-key-data'),
    settings: { initialWindowSize: 4 * 1024 * 1024 },
  };
}

function print(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

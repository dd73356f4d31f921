/**
 * CPU of the server per response over HTTP/2, 64 in flight, in turns on `native` connections and on `guarded` ones, whose server requests client
 * certificates. Responses have 4 KB, like a get, and 300 KB, like a list.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { parseArgs } from 'node:util';
import { createHttpsServer } from '../../packages/apiserver/dist/http/index.js';
import { makeTestCertificate } from '../../packages/apiserver/dist/testing/index.js';
import { inParallel, print } from '../support/figures.mjs';

const KILOBYTE = 1024;
const IN_FLIGHT = 64;
const answers = { '/get': Buffer.alloc(4 * KILOBYTE, 'x'), '/list': Buffer.alloc(300 * KILOBYTE, 'x') };

if (process.send === undefined) await measure();
else await serve(process.argv[2] === 'guarded');

async function serve(isGuarded) {
  const serving = makeTestCertificate('/CN=localhost');
  const tls = { ...serving, clientCertificateAuthorities: isGuarded ? [serving.certificate] : [] };
  const handler = (exchange) => {
    const body = answers[exchange.url];
    if (body.length < 64 * KILOBYTE) exchange.respond(200, {}, body);
    else void exchange.respondPieces(200, {}, { length: body.length, pieces: () => slices(body) });
  };
  const server = createHttpsServer({ tls, handler });
  const { port } = await server.listen('127.0.0.1', 0);
  process.on('message', () => process.send(process.cpuUsage()));
  process.on('disconnect', () => process.exit());
  process.send(port);
}

function* slices(body) {
  for (let at = 0; at < body.length; at += 64 * KILOBYTE) yield body.subarray(at, at + 64 * KILOBYTE);
}

async function measure() {
  const { values } = parseArgs({
    options: { requests: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '5' } },
  });
  const names = ['native', 'guarded'];
  const servers = await Promise.all(names.map(start));
  for (const [path, requests] of [
    ['/get', Number(values.requests)],
    ['/list', Number(values.requests) / 10],
  ]) {
    const figures = names.map(() => []);
    for (let round = 0; round <= Number(values.rounds); round++) {
      for (const [index, server] of servers.entries()) {
        const microseconds = await cpuOf(server, path, requests);
        if (round > 0) figures[index].push(microseconds);
      }
    }
    for (const [index, all] of figures.entries()) {
      const median = all.toSorted((a, b) => a - b)[all.length >> 1];
      print({ figure: path, connections: names[index], requests, cpuMicroseconds: Math.round(median * 10) / 10 });
    }
  }
  for (const { child, session } of servers) {
    session.destroy();
    child.disconnect();
  }
}

async function start(name) {
  const child = fork(import.meta.filename, [name]);
  const [port] = await once(child, 'message');
  // The windows of Go's clients.
  const settings = { initialWindowSize: 4 * KILOBYTE * KILOBYTE };
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, settings });
  await once(session, 'connect');
  session.setLocalWindowSize(2 ** 30);
  return { child, session };
}

async function cpuOf({ child, session }, path, requests) {
  const before = await usage(child);
  await inParallel(requests, IN_FLIGHT, async () => {
    const stream = session.request({ ':path': path }).resume();
    await once(stream, 'end');
  });
  return ((await usage(child)) - before) / requests;
}

async function usage(child) {
  child.send('usage');
  const [{ user, system }] = await once(child, 'message');
  return user + system;
}

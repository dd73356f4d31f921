/**
 * The least that Node.js can do for the requests of the comparison: HTTP/2 over TLS, `JSON.parse`, `JSON.stringify` and a durable LMDB. It checks
 * nothing and knows no kinds, users or versions, so its CPU is a floor for a server on the same machine.
 * `node bench/against/bare-server.mjs FOLDER` prints its URL.
 */
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { createIssuer } from '@binnacle/client/certificates';
import { open } from 'lmdb';

const values = open({ path: process.argv[2], encoding: 'binary', noSubdir: false });
const watches = new Set();
let revision = 0;

const { certificate, privateKey } = (await createIssuer('bare', Date.now())).issueServing('localhost', ['127.0.0.1']);
const server = createSecureServer({ cert: certificate, key: privateKey });
server.on('stream', (stream, headers) => {
  stream.on('error', () => stream.destroy());
  answer(stream, headers).catch((error) => stream.destroy(error));
});
server.listen(0, '127.0.0.1', () => console.log(`https://127.0.0.1:${server.address().port}`));

async function answer(stream, { ':method': method, ':path': target }) {
  const [path, query = ''] = target.split('?');
  if (query.startsWith('watch')) return watch(stream);
  switch (method) {
    case 'GET': {
      const value = values.get(path);
      return value === undefined ? list(stream, path) : send(stream, value);
    }
    case 'DELETE': {
      const value = values.get(path);
      await values.remove(path);
      return send(stream, value);
    }
    default: {
      const body = JSON.parse(await textOf(stream));
      const [key, object] = method === 'POST' ? [`${path}/${body.metadata.name}`, body] : [path, body];
      return write(stream, key, method === 'PATCH' ? patched(JSON.parse(values.get(path)), body) : object);
    }
  }
}

function patched(object, { metadata: { labels } }) {
  object.metadata.labels = { ...object.metadata.labels, ...labels };
  return object;
}

async function write(stream, key, object) {
  object.metadata.resourceVersion = `${++revision}`;
  const value = Buffer.from(JSON.stringify(object));
  await values.put(key, value);
  send(stream, value);
  for (const watching of watches) {
    watching.write('{"type":"MODIFIED","object":');
    watching.write(value);
    watching.write('}\n');
  }
}

function watch(stream) {
  stream.respond({ ':status': 200, 'content-type': 'application/json' });
  watches.add(stream);
  stream.on('close', () => watches.delete(stream));
}

async function list(stream, collection) {
  stream.respond({ ':status': 200, 'content-type': 'application/json' });
  stream.write(`{"metadata":{"resourceVersion":"${revision}"},"items":[`);
  let separator = '';
  for (const { value } of values.getRange({ start: `${collection}/`, end: `${collection}0` })) {
    stream.write(separator);
    separator = ',';
    if (!stream.write(value)) await once(stream, 'drain');
  }
  stream.end(']}');
}

function send(stream, value) {
  stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-length': value.length });
  stream.end(value);
}

async function textOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/**
 * CPU of writes of small objects behind the filters, over the memory store: a create, a create that is a dry run, an update, a merge patch and a
 * server-side apply. With `--against` in turns with another checkout.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { measureInTurns } from '../support/in-turns.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    writes: { type: 'string', default: '1000' },
    against: { type: 'string' },
  },
});
const writes = Number(values.writes);
const url = '/api/v1/namespaces/default/configmaps';
const json = { 'content-type': 'application/json' };
const configMap = (name, count) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: 'web' } },
  data: { count: String(count) },
});

async function open(checkout) {
  const module = pathToFileURL(resolve(checkout, 'packages/apiserver/dist/testing/index.js')).href;
  const { answer, testResource } = await import(module);
  const resource = testResource();
  await resource.cacher.ready();
  let count = 0;
  const send = async (status, method, address, headers, body) => {
    const answered = await answer(resource.endpoint, { method, url: address, headers, body: JSON.stringify(body) });
    if (answered.status !== status) throw new Error(`${method} ${address}: ${answered.status} ${answered.body}`);
  };
  const patch = (type, query = '') => {
    const headers = { 'content-type': `application/${type}` };
    return () => send(200, 'PATCH', `${url}/known${query}`, headers, configMap('known', ++count));
  };
  await send(201, 'POST', url, json, configMap('known', 0));
  const works = {
    create: [writes, () => send(201, 'POST', url, json, configMap(`object-${++count}`, count))],
    dryRun: [writes, () => send(201, 'POST', `${url}?dryRun=All`, json, configMap('absent', ++count))],
    update: [writes, () => send(200, 'PUT', `${url}/known`, json, configMap('known', ++count))],
    patch: [writes, patch('merge-patch+json')],
    apply: [writes, patch('apply-patch+yaml', '?fieldManager=bench&force=true')],
  };
  return { works, close: () => resource[Symbol.asyncDispose]() };
}

const checkouts = ['.', ...(values.against === undefined ? [] : [values.against])];
await measureInTurns(checkouts, Number(values.rounds), open);

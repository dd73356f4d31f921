import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { builtInLists } from './built-in-lists.mjs';
import { costs, legal, together } from './costs.mjs';
import { isFull } from './full-size.mjs';
import { isThorough } from '../thorough.mjs';
import { MeasuredServer, SILENCE_LIMIT_MS, SILENCE_WANTED_MS } from './measured-server.mjs';

const MEMORY_LIMIT_BYTES = 300_000_000;
/** A busy machine doubles the CPU time of a turn. A row that is above the limit is tried again, and the best counts. */
const NAMESPACES = ['default', 'second', 'third'];

/** How many requests of each attack are played, and by how many clients at once; `npm run hostile` plays all. */
const REQUESTS = isFull ? Number.POSITIVE_INFINITY : 1;
const CLIENTS = isFull ? 10 : 4;
const NAMESPACED = /\/namespaces\/default\//;

describe('the cost of single requests', () => {
  let server;
  before(async () => {
    server = await MeasuredServer.start();
    for (const name of NAMESPACES) {
      if (name !== 'default')
        await server.client.send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name } }));
      const namespace = `/api/v1/namespaces/${name}`;
      await server.client.send('POST', `${namespace}/serviceaccounts`, '{"metadata":{"name":"default"}}');
      await server.client.send('POST', `${namespace}/configmaps`, '{"metadata":{"name":"target"}}');
    }
  });
  after(() => server.stop());

  /** `user`: another one, which the administrator impersonates. */
  function send({ method, path, body, type, user }) {
    const headers = { 'content-type': type, 'impersonate-user': user };
    return server.client.send(
      method,
      path,
      body,
      Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    );
  }

  async function sendOne(request) {
    const answer = await send(request);
    const { status } = request;
    if (status !== undefined) assert.equal(answer.status, status, `${request.path}: ${answer.text.slice(0, 300)}`);
    assert.notEqual(answer.status, 500, answer.text.slice(0, 300));
    return answer;
  }

  /** A definition is served shortly after its create. */
  async function serves({ path }) {
    for (let attempt = 0; attempt < 200; attempt++) {
      if ((await send({ method: 'GET', path })).status === 200) return;
      await pause(50);
    }
    assert.fail(`${path} is not served`);
  }

  const attacks = costs.map((attack) => ({ ...attack, requests: attack.requests.slice(0, REQUESTS) }));
  for (const row of [...attacks, ...(isThorough || isFull ? builtInLists : []), ...legal]) {
    it(row.name, async (test) => {
      let best;
      for (const namespace of NAMESPACES) {
        if (best !== undefined) await undo(row);
        const costs = await play(row, namespace, best !== undefined);
        best = best === undefined ? costs : best.map((cost, index) => quieter(cost, costs[index]));
        if (best.every(isBounded)) break;
      }
      for (const cost of best) report(test, cost);
    });
  }

  /** Returns what each request of the row costs in this namespace. */
  async function play({ before: first = [], served, requests }, namespace, again) {
    const within = (request) => ({ ...request, path: request.path.replace(NAMESPACED, `/namespaces/${namespace}/`) });
    for (const request of first) if (!again || NAMESPACED.test(request.path)) await sendOne(within(request));
    if (served !== undefined) await serves(served);
    const costs = [];
    for (const request of requests) {
      // The documents include a definition once it is served.
      if (request.path.startsWith('/openapi/') || request.path.startsWith('/apis/cost.example')) await pause(100);
      const { answer, silence, memory } = await server.measure(() => sendOne(within(request)));
      costs.push({ shown: `${request.method} ${request.path.slice(0, 60)}: ${answer.status}`, silence, memory });
    }
    return costs;
  }

  /** Deletes objects without a namespace, so that they can be created again. */
  async function undo({ requests }) {
    for (const { method, path, body, status } of requests) {
      if (method !== 'POST' || status !== 201 || path.includes('dryRun') || NAMESPACED.test(path)) continue;
      const object = `${path}/${JSON.parse(body).metadata.name}`;
      await send({ method: 'DELETE', path: object });
      while ((await send({ method: 'GET', path: object })).status !== 404) await pause(50);
    }
  }

  const isBounded = ({ silence, memory }) => silence < SILENCE_LIMIT_MS && memory < MEMORY_LIMIT_BYTES;

  const quieter = (one, other) => ({
    shown: one.shown,
    silence: Math.min(one.silence, other.silence),
    memory: Math.min(one.memory, other.memory),
  });

  for (const { name, requests } of together) {
    it(`${CLIENTS} clients at once: ${name}`, async (test) => {
      for (const request of requests) {
        const shown = `${request.method} ${request.path.slice(0, 60)}`;
        let best = { shown, silence: Number.POSITIVE_INFINITY, memory: Number.POSITIVE_INFINITY };
        for (const _ of NAMESPACES) {
          const atOnce = () => Promise.all(Array.from({ length: CLIENTS }, () => sendOne(request)));
          const { silence, memory } = await server.measure(atOnce);
          // The limit of memory is that of one client.
          best = quieter(best, { silence, memory: memory / CLIENTS });
          if (isBounded(best)) break;
        }
        report(test, best);
      }
    });
  }

  function report(test, cost) {
    const { shown, silence, memory } = cost;
    const mark = silence > SILENCE_WANTED_MS ? ', above what is wanted' : '';
    test.diagnostic(`${shown}, ${Math.round(silence)} ms of silence${mark}, ${Math.round(memory / 1e6)} MB`);
    assert.ok(isBounded(cost), `${shown}: ${silence} ms of silence, ${memory} bytes`);
  }
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { costs, legal, together } from './costs.mjs';
import { isFull } from './full-size.mjs';
import { MeasuredServer, SILENCE_WANTED_MS } from './measured-server.mjs';

/**
 * How long a turn of the loop may take: the smaller of its wall time and its CPU time. A quiet machine stays below
 * the first bound, and a longer turn is printed. On a busy machine, garbage collections count too.
 */
const COST_SILENCE_LIMIT_MS = 1000;
const MEMORY_LIMIT_BYTES = 300_000_000;

/** How many requests of each attack are played, and by how many clients at once; `npm run hostile` plays all. */
const REQUESTS = isFull ? Number.POSITIVE_INFINITY : 2;
const CLIENTS = isFull ? 10 : 4;

describe('the cost of single requests', () => {
  let server;
  before(async () => {
    server = await MeasuredServer.start();
    const namespace = '/api/v1/namespaces/default';
    await server.client.send('POST', `${namespace}/serviceaccounts`, '{"metadata":{"name":"default"}}');
    await server.client.send('POST', `${namespace}/configmaps`, '{"metadata":{"name":"target"}}');
  });
  after(() => server.stop());

  function send({ method, path, body, type }) {
    return server.client.send(method, path, body, type === undefined ? {} : { 'content-type': type });
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
  for (const { name, before: first = [], served, requests } of [...attacks, ...legal]) {
    it(name, async (test) => {
      for (const request of first) await sendOne(request);
      if (served !== undefined) await serves(served);
      for (const request of requests) {
        // The documents include a definition once it is served.
        if (request.path.startsWith('/openapi/') || request.path.startsWith('/apis/cost.example')) await pause(100);
        const { answer, silence, memory } = await server.measure(() => sendOne(request));
        const shown = `${request.method} ${request.path.slice(0, 60)}: ${answer.status}`;
        report(test, shown, silence, memory);
        assert.ok(memory < MEMORY_LIMIT_BYTES, `${shown}: ${memory} bytes`);
      }
    });
  }

  for (const { name, requests } of together) {
    it(`${CLIENTS} clients at once: ${name}`, async (test) => {
      for (const request of requests) {
        const atOnce = () => Promise.all(Array.from({ length: CLIENTS }, () => sendOne(request)));
        const { silence, memory } = await server.measure(atOnce);
        report(test, `${request.method} ${request.path.slice(0, 60)}`, silence, memory);
      }
    });
  }

  function report(test, shown, silence, memory) {
    const mark = silence > SILENCE_WANTED_MS ? ', above what is wanted' : '';
    test.diagnostic(`${shown}, ${Math.round(silence)} ms of silence${mark}, ${Math.round(memory / 1e6)} MB`);
    assert.ok(silence < COST_SILENCE_LIMIT_MS, `${shown}: ${silence} ms of silence`);
  }
});

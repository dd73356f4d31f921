import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { costs, legal } from './costs.mjs';
import { MeasuredServer, SILENCE_WANTED_MS } from './measured-server.mjs';

/**
 * A quiet machine is to hear from the server every 200 ms, which is printed where it does not. The bound is far above: collections
 * of garbage on a busy machine count, too. What must not happen takes many seconds.
 */
const SILENCE_LIMIT_MS = 3000;
const MEMORY_LIMIT_BYTES = 300_000_000;

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

  /** A definition is served a moment after it is created. */
  async function serves({ path }) {
    for (let attempt = 0; attempt < 200; attempt++) {
      if ((await send({ method: 'GET', path })).status === 200) return;
      await pause(50);
    }
    assert.fail(`${path} is not served`);
  }

  for (const { name, before: first = [], served, requests } of [...costs, ...legal]) {
    it(name, async (test) => {
      for (const request of first) await sendOne(request);
      if (served !== undefined) await serves(served);
      for (const request of requests) {
        // The documents of a definition are made once it is served.
        if (request.path.startsWith('/openapi/') || request.path.startsWith('/apis/cost.example')) await pause(100);
        const { answer, silence, memory } = await server.measure(() => sendOne(request));
        const shown = `${request.method} ${request.path.slice(0, 60)}: ${answer.status}`;
        const mark = silence > SILENCE_WANTED_MS ? ', above what is wanted' : '';
        test.diagnostic(`${shown}, ${silence} ms of silence${mark}, ${Math.round(memory / 1e6)} MB`);
        assert.ok(silence < SILENCE_LIMIT_MS, `${shown}: ${silence} ms of silence`);
        assert.ok(memory < MEMORY_LIMIT_BYTES, `${shown}: ${memory} bytes`);
      }
    });
  }
});

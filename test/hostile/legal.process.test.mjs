import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { largeRequests } from './large-requests.mjs';
import { MeasuredServer } from './measured-server.mjs';

/** Requests that kube-apiserver answers, however large, are not refused to protect the server. */
describe('large legal requests', { timeout: 600_000 }, () => {
  let server;
  before(async () => {
    server = await MeasuredServer.start();
  });
  after(() => server.stop());

  async function send({ name, method, path, type, body, status }) {
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await server.client.send(method, path, body(), headers);
    if (status !== undefined) assert.equal(answer.status, status, `${name}: ${answer.text.slice(0, 300)}`);
    return answer.milliseconds;
  }

  /** A definition is served shortly after its create. */
  async function serves(path) {
    for (let attempt = 0; attempt < 200; attempt++) {
      if ((await server.client.send('GET', path)).status === 200) return;
      await pause(50);
    }
    assert.fail(`${path} is not served`);
  }

  for (const { name, milliseconds, before: first = [], served, requests } of largeRequests) {
    it(name, async (test) => {
      for (const request of first) await send(request);
      if (served !== undefined) await serves(served);
      let slowest = 0;
      const { silence, memory } = await server.measure(async () => {
        for (const request of requests) slowest = Math.max(slowest, await send(request));
      });
      test.diagnostic(
        `slowest ${Math.round(slowest)} ms (upstream ${milliseconds}), silence ${Math.round(silence)} ms, ${Math.round(memory / 1e6)} MB`,
      );
    });
  }
});

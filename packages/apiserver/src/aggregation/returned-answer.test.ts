import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RequestContext } from '../request/index.js';
import { FakeExchange, messageOf } from '../testing/index.js';
import { returnAnswer } from './returned-answer.js';

/** The answer to a client whose request a backend has answered like this. */
async function returned(given: Parameters<typeof messageOf>[0], { upgrade = false, own = {} } = {}) {
  const exchange = new FakeExchange({});
  const context = new RequestContext(exchange, '/', new URLSearchParams(), 0);
  Object.assign(context.responseHeaders, own);
  const message = messageOf(given);
  await returnAnswer(context, message, { upgrade, authority: '192.0.2.1:443' });
  return { exchange, message };
}

describe('the answer of a backend', () => {
  it('is returned with the headers of both servers', async () => {
    const headers = { 'content-type': 'text/plain', warning: 'theirs', 'transfer-encoding': 'chunked' };
    const own = { 'audit-id': 'id', warning: 'ours' };
    const { exchange } = await returned({ status: 404, headers, body: ['ab', 'c'] }, { own });
    assert.deepEqual([exchange.status, exchange.body, exchange.ended], [404, 'abc', true]);
    assert.deepEqual(exchange.responseHeaders, {
      'content-type': 'text/plain',
      warning: ['ours', 'theirs'],
      'audit-id': ['id'],
    });
  });

  it('names the backend in a link to itself', async () => {
    for (const [location, expected] of [
      ['/apis/boats.example.com/v1/boats/a', 'https://192.0.2.1:443/apis/boats.example.com/v1/boats/a'],
      ['https://192.0.2.1:443/b?c', 'https://192.0.2.1:443/b?c'],
      ['https://example.com/b', 'https://example.com/b'],
      ['b', 'b'],
    ] as const) {
      const { exchange } = await returned({ status: 201, headers: { location } });
      assert.deepEqual(exchange.responseHeaders, { location: expected });
    }
  });

  it('does not say which origins may use this server', async () => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-max-age': '1' };
    const { exchange } = await returned({ status: 200, headers });
    assert.deepEqual(exchange.responseHeaders, { 'access-control-max-age': '1' });
  });

  it('has no body where its status permits none', async () => {
    for (const status of [204, 304]) {
      const { exchange } = await returned({ status });
      assert.deepEqual([exchange.status, exchange.body, exchange.ended], [status, '', true]);
    }
  });

  it('that breaks off breaks off the answer to the client', async () => {
    const { exchange } = await returned({ body: ['ab', new Error('reset')] });
    assert.deepEqual([exchange.status, exchange.ended, exchange.destroyed], [200, false, true]);
  });

  it('that redirects is refused', async () => {
    const { exchange, message } = await returned({ status: 302, headers: { location: 'https://x/' } });
    const words = 'the backend attempted to redirect this request, which is not permitted';
    assert.deepEqual([exchange.status, exchange.body, message.destroyed], [502, words, true]);
    assert.equal((await returned({ status: 304, headers: {} })).exchange.status, 304);
  });

  it('to an upgrade is an error of the backend, or refused', async () => {
    const { exchange, message } = await returned({ status: 200 }, { upgrade: true });
    assert.deepEqual([exchange.status, exchange.body], [503, 'invalid upgrade response: status code 200\n']);
    assert.equal(message.destroyed, true);
    assert.equal((await returned({ status: 403, body: ['no'] }, { upgrade: true })).exchange.body, 'no');
  });
});

it('an answer whose head cannot be sent leaves no backend waiting', async () => {
  for (const status of [200, 204]) {
    const refused = new Error('refused');
    const exchange = new FakeExchange({});
    exchange.respondStream = exchange.respond = () => {
      throw refused;
    };
    const message = messageOf({ status, body: ['unread'] });
    const context = new RequestContext(exchange, '/', new URLSearchParams(), 0);
    await assert.rejects(returnAnswer(context, message, { upgrade: false, authority: '192.0.2.1:443' }), refused);
    assert.equal(message.destroyed, true);
  }
});

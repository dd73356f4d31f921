import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { FakeExchange } from '../http/index.js';
import { RequestContext } from '../request/index.js';
import { returnAnswer } from './returned-answer.js';

it('an answer whose head cannot be sent leaves no backend waiting', async () => {
  for (const status of [200, 204]) {
    const refused = new Error('refused');
    const exchange = new FakeExchange({});
    exchange.respondStream = exchange.respond = () => {
      throw refused;
    };
    const message = new IncomingMessage(new Socket());
    message.statusCode = status;
    const context = new RequestContext(exchange, '/', new URLSearchParams(), 0);
    await assert.rejects(returnAnswer(context, message, false), refused);
    assert.equal(message.destroyed, true);
  }
});

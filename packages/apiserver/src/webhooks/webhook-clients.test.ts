import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { Egress } from '../egress/index.js';
import { LongAnswers } from './long-answers.js';
import { WebhookClients } from './webhook-clients.js';

it('the clients of webhooks are kept by address, and the least recently used are dropped', () => {
  const clients = new WebhookClients({
    resolve: () => assert.fail('no services'),
    egress: new Egress(),
    maximumAnswerBytes: 1000,
    longAnswers: new LongAnswers(),
    clock: new VirtualClock(),
  });
  const urlOf = (index: number) => ({ url: `https://hook-${String(index)}/` });
  const [first, second] = [clients.of(urlOf(1)), clients.of(urlOf(2))];
  assert.equal(clients.of({ ...urlOf(1), caBundle: undefined }), first);
  assert.notEqual(clients.of({ ...urlOf(1), caBundle: 'YQ==' }), first);
  for (let index = 3; index < 201; index++) clients.of(urlOf(index));
  assert.equal(clients.of(urlOf(1)), first);
  assert.notEqual(clients.of(urlOf(2)), second);
  clients.close();
});

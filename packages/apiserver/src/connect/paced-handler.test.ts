import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { paced } from './paced-handler.js';

describe('requests to other servers', () => {
  it('begin in several turns of the loop', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    let turn = 0;
    const begun: number[] = [];
    const handler = paced(() => {
      begun.push(turn);
      // It uses up the turn.
      time += 3;
      return Promise.resolve();
    });
    const path = '/api/v1/namespaces/n/pods/p/log';
    const request = () => new RequestContext(new FakeExchange({}), path, new URLSearchParams(), 0);
    const all = Promise.all(Array.from({ length: 5 }, () => handler(request())));
    for (; begun.length < 5; turn++) await loop();
    await all;
    assert.equal(new Set(begun).size, 5, `in turns ${begun.join()}`);
  });
});

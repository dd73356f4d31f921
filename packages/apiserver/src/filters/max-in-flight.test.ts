import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { respondText } from '../http/index.js';
import type { Handler, RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { createHandlerChain } from './handler-chain.js';
import { maxInFlight } from './max-in-flight.js';
import { requestInfo } from './request-info.js';

const PODS = '/api/v1/namespaces/n/pods';
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function serverOf(reading: number, mutating: number) {
  const refused: RequestContext[] = [];
  const open: (() => void)[] = [];
  const handler: Handler = async (context) => {
    await new Promise<void>((resolve) => open.push(resolve));
    await respondText(context, 200, '');
  };
  const identify = {
    name: 'identify',
    enter: (context: RequestContext) => {
      context.user = { name: 'u', uid: '', groups: context.exchange.headerValues('group').slice(), extra: {} };
    },
  };
  const filter = maxInFlight({ reading, mutating, onRefused: (context) => refused.push(context) });
  const filters = [requestInfo, identify, filter];
  const run = createHandlerChain({ filters, handler, now: () => 0, report: () => undefined });
  const ask = (method: string, url = PODS, headers = {}): FakeExchange => {
    const exchange = new FakeExchange({ method, url, headers });
    run(exchange);
    return exchange;
  };
  return { ask, open, refused };
}

// Upstream: `maxinflight_test.go`.
describe('maxInFlight', () => {
  it('limits requests that read and those that write apart', async () => {
    const { ask, open, refused } = serverOf(2, 1);
    const asked = [ask('GET'), ask('GET'), ask('GET'), ask('POST'), ask('POST'), ask('DELETE', `${PODS}/p`)];
    await turn();
    assert.deepEqual(
      asked.map(({ status }) => status),
      [0, 0, 429, 0, 429, 429],
    );
    assert.equal(refused.length, 3);
    assert.deepEqual(
      [asked[2]?.body, asked[2]?.responseHeaders['retry-after']],
      ['Too many requests, please try again later.\n', '1'],
    );
    for (const end of open) end();
    await turn();
    assert.equal(ask('GET').status, 0);
    assert.equal(ask('POST').status, 0);
  });

  it('has no limit where it is 0', () => {
    const { ask, open } = serverOf(0, 0);
    for (let request = 0; request < 50; request++) ask('POST');
    assert.equal(open.length, 50);
  });

  it('passes watches, and all requests of system:masters', () => {
    const { ask, open } = serverOf(1, 1);
    ask('GET');
    for (let watch = 0; watch < 3; watch++) ask('GET', `${PODS}?watch=1`);
    ask('GET', PODS, { group: 'system:masters' });
    assert.equal(open.length, 5);
  });
});

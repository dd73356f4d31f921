import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { abortable, settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { timeout } from '@binnacle/apimachinery/status';
import type { WebhookClientConfig } from '@binnacle/api/types/admissionregistration-v1';
import type { Target } from './call-target.js';
import type { WebhookAnswer } from './webhook-answer.js';
import { type CallOptions, WebhookClient } from './webhook-client.js';
import { BrokenAnswer } from './webhook-connections.js';

const URL_OF_HOOK = 'https://hook.example/a';
const service = { name: 'hook', namespace: 'ours' };
const ok: WebhookAnswer = {
  status: 200,
  contentType: 'application/json',
  location: undefined,
  body: Buffer.from('{}'),
};
const redirect = (status: number, location: string): WebhookAnswer => ({ ...ok, status, location });
/** Like a request of Node.js that gets no answer. */
const unanswered = (signal: AbortSignal): Promise<never> => abortable(new Promise<never>(() => undefined), signal);

type Exchange = (target: Target, method: 'GET' | 'POST', signal: AbortSignal) => WebhookAnswer | Promise<WebhookAnswer>;

/** A client whose connections give these answers, and what it sent. */
function clientOf(
  config: WebhookClientConfig,
  exchange: Exchange,
  resolve: () => Promise<{ host: string; port: number }> = () => assert.fail('no service is resolved'),
) {
  const clock = new VirtualClock();
  const sent: string[] = [];
  let closed = 0;
  const client = new WebhookClient(
    config,
    { resolve, clock },
    {
      exchange: async (target, body, signal) => {
        const method = body === undefined ? 'GET' : 'POST';
        sent.push(`${method} ${target.url}`);
        return exchange(target, method, signal);
      },
      close: () => closed++,
    },
  );
  const post = (limits: Partial<CallOptions> = {}) =>
    client.post([Buffer.from('{}')], { timeoutSeconds: 30, ...limits });
  return { client, clock, sent, post, closed: () => closed };
}

const callError = (message: string | RegExp) => ({ name: 'WebhookCallError', message });

describe('a call of a webhook', () => {
  it('tells the webhook how long it may take: its timeout, or the rest of the request if that is shorter', async () => {
    const { clock, sent, post } = clientOf({ url: URL_OF_HOOK }, () => ok);
    assert.equal((await post()).toString(), '{}');
    await post({ deadline: clock.monotonic() + 7500 });
    await post({ timeoutSeconds: 3, deadline: clock.monotonic() + 7500 });
    assert.deepEqual(
      sent.map((text) => text.replace(/.*timeout=/, '')),
      ['30s', '8s', '3s'],
    );
  });

  it('goes to the address of its service, under the name of the service', async () => {
    const targets: Target[] = [];
    const exchange: Exchange = (target) => {
      targets.push(target);
      return ok;
    };
    const { post } = clientOf({ service }, exchange, () => Promise.resolve({ host: '10.0.0.1', port: 8443 }));
    await post();
    assert.deepEqual(
      targets.map(({ host, port, serverName, authority }) => [host, port, serverName, authority]),
      [['10.0.0.1', 8443, 'hook.ours.svc', 'hook.ours.svc:443']],
    );
  });

  it('follows redirects: most with a GET, 307 and 308 with the body', async () => {
    const answers = [redirect(308, '/b'), redirect(307, 'https://hook.example/c?d'), redirect(302, '/e'), ok];
    const { sent, post } = clientOf({ url: URL_OF_HOOK }, () => answers.shift() ?? assert.fail('too many'));
    await post();
    const origin = 'https://hook.example';
    assert.deepEqual(sent, [
      `POST ${URL_OF_HOOK}?timeout=30s`,
      `POST ${origin}/b`,
      `POST ${origin}/c?d`,
      `GET ${origin}/e`,
    ]);
  });

  it('follows ten redirects', async () => {
    const { sent, post } = clientOf({ url: URL_OF_HOOK }, () => redirect(302, '/a'));
    await assert.rejects(post(), callError(`Get "${URL_OF_HOOK}": stopped after 10 redirects`));
    assert.equal(sent.length, 11);
  });

  it('follows no redirect to another host', async () => {
    for (const location of ['https://other.example/', 'http://hook.example/', 'https://hook.example:8443/']) {
      const { sent, post } = clientOf({ url: URL_OF_HOOK }, () => redirect(307, location));
      await assert.rejects(post(), callError(/^Post ".*": the redirect to .* is not followed: it is another host$/));
      assert.equal(sent.length, 1);
    }
  });

  it('ends after its timeout, and with its request', async () => {
    const { clock, post } = clientOf({ url: URL_OF_HOOK }, (_target, _method, signal) => unanswered(signal));
    const late = assert.rejects(post(), callError(`Post "${URL_OF_HOOK}?timeout=30s": context deadline exceeded`));
    await clock.advance(30_000);
    await late;
    const controller = new AbortController();
    const left = assert.rejects(post({ signal: controller.signal }), callError(/: context canceled$/));
    controller.abort(new Error('the client has left'));
    await left;
    const expired = new AbortController();
    const over = assert.rejects(post({ signal: expired.signal }), callError(/: context deadline exceeded$/));
    expired.abort(timeout('too late'));
    await over;
  });

  it('waits for no service after its deadline', async () => {
    const { clock, sent, post } = clientOf(
      { service },
      () => ok,
      () => new Promise(() => undefined),
    );
    const late = assert.rejects(post(), callError(/: context deadline exceeded$/));
    await clock.advance(30_000);
    await late;
    assert.deepEqual(sent, []);
  });

  it('fails with the last request and the reason', async () => {
    const refused = Object.assign(new Error(), { code: 'ECONNREFUSED', address: '10.0.0.1', port: 443 });
    const { post } = clientOf({ url: URL_OF_HOOK }, (_target, method) => {
      if (method === 'GET') throw refused;
      return redirect(303, '/b');
    });
    const words = 'Get "https://hook.example/b": dial tcp 10.0.0.1:443: connect: connection refused';
    await assert.rejects(post(), callError(words));
  });

  it('fails with the message of the answer alone', async () => {
    const { post } = clientOf({ url: URL_OF_HOOK }, () => ({ ...ok, status: 404 }));
    const message = 'the server could not find the requested resource';
    await assert.rejects(post(), { ...callError(message), code: 404 });
  });

  it('fails when the answer breaks off', async () => {
    const prefix = 'unexpected error when reading response body. Please retry. Original error:';
    const cases: readonly (readonly [cause: Error, reason: string])[] = [
      [Object.assign(new Error('aborted'), { code: 'ECONNRESET' }), 'unexpected EOF'],
      [new Error('bad chunk'), 'bad chunk'],
    ];
    for (const [cause, reason] of cases) {
      const { post } = clientOf({ url: URL_OF_HOOK }, () => Promise.reject(new BrokenAnswer(cause)));
      await assert.rejects(post(), callError(`${prefix} ${reason}`));
    }
  });

  it('refuses a URL that Go accepts and this server cannot parse', async () => {
    const { sent, post } = clientOf({ url: 'https://a<b>/' }, () => ok);
    await assert.rejects(post(), callError('Unparsable URL: Invalid URL'));
    assert.deepEqual(sent, []);
  });
});

describe('the connections of a webhook', () => {
  it('are closed after the calls in progress', async () => {
    const answers: ((answer: WebhookAnswer) => void)[] = [];
    const { client, post, closed } = clientOf(
      { url: URL_OF_HOOK },
      () => new Promise((resolve) => answers.push(resolve)),
    );
    const calls = [post(), post()];
    await settle();
    client.close();
    for (const [index, call] of calls.entries()) {
      assert.equal(closed(), 0);
      answers[index]?.(ok);
      await call;
    }
    assert.equal(closed(), 1);
  });

  it('are closed at once without calls', () => {
    const { client, closed } = clientOf({ url: URL_OF_HOOK }, () => ok);
    client.close();
    assert.equal(closed(), 1);
  });
});

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { openMemoryKV } from '@binnacle/kv/memory';
import { makeTestCertificate } from '../testing/index.js';
import { type Send, withServer } from './server.testing.js';

const hook = makeTestCertificate('/CN=hook', { alternativeNames: 'IP:127.0.0.1' });
const other = makeTestCertificate('/CN=other', { alternativeNames: 'IP:127.0.0.1' });
const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const namespaces = [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }];

type Review = JsonObject & { readonly request: { readonly uid: string } };
type Respond = (review: Review, response: ServerResponse, request: IncomingMessage) => unknown;

const allow: Respond = ({ request }, response) =>
  response.end(
    JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: request.uid, allowed: true },
    }),
  );

/** Each attack of a webhook, and the answer to its request. */
const attacks: Readonly<Record<string, readonly [respond: Respond, message: RegExp, timeoutSeconds?: number]>> = {
  'never answers': [() => undefined, /: context deadline exceeded$/, 1],
  'begins to answer, and never ends': [(_, response) => response.write('{'), /context deadline exceeded$/, 1],
  'answers for another request': [
    (review, response, request) => allow({ ...review, request: { uid: 'x' } }, response, request),
    /expected response\.uid="[0-9a-f-]{36}", got "x"$/,
  ],
  'answers with garbage': [(_, response) => response.end('\u0000\u0001'), /failed to call webhook: couldn't get/],
  'redirects to a metadata service': [
    (_, response) => response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end(),
    /the redirect to http:\/\/169\.254\.169\.254 is not followed/,
  ],
  'redirects to itself': [
    (_, response) => response.writeHead(307, { location: '/' }).end(),
    /stopped after 10 redirects$/,
  ],
  'answers with 200 MB': [flood, /the answer is longer than 16777216 bytes$/],
  'closes in the middle': [
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setImmediate(() => response.destroy());
    },
    /unexpected EOF$/,
  ],
  'closes without an answer': [(_, response) => response.destroy(), /: EOF$/],
};

/** Sends as much as the reader takes, at most 200 MB. */
function flood(_: unknown, response: ServerResponse): void {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  let left = 200;
  const write = (): void => {
    while (left-- > 0) {
      if (response.write(piece)) continue;
      response.once('drain', write);
      return;
    }
    response.end();
  };
  write();
}

describe('a server whose webhook', () => {
  let server: Server;
  let url: string;
  let respond: Respond = allow;
  before(async () => {
    server = createServer({ cert: hook.certificate, key: hook.privateKey }, (request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        respond(JSON.parse(text || '{"request":{"uid":""}}') as Review, response, request);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const configuration = (caBundle: string, timeoutSeconds: number): object => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'c' },
    webhooks: [
      {
        name: 'w.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        timeoutSeconds,
        clientConfig: { url, caBundle: Buffer.from(caBundle).toString('base64') },
        rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps'] }],
      },
    ],
  });

  /** Runs with a server that asks the webhook about every ConfigMap from the next request on. */
  const withWebhook = (
    run: (send: Send) => Promise<void>,
    { caBundle = hook.certificate, timeoutSeconds = 30 } = {},
  ): Promise<void> =>
    withServer(openMemoryKV(), namespaces, async (send) => {
      assert.equal((await send('POST', CONFIGURATIONS, configuration(caBundle, timeoutSeconds))).status, 201);
      await run(send);
    });
  const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const secret = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });

  /** Another client, whose requests the webhook does not concern. */
  async function workOfOthers(send: Send): Promise<void> {
    for (let count = 0; count < 20; count++) {
      assert.equal((await send('POST', SECRETS, secret(`s-${String(count)}`))).status, 201);
    }
    assert.equal((await send('GET', SECRETS)).status, 200);
  }

  for (const [name, [attack, message, timeoutSeconds]] of Object.entries(attacks)) {
    it(`${name} fails the request that asked it, and no other`, async () => {
      const run = async (send: Send): Promise<void> => {
        let asked = (): void => undefined;
        const asking = new Promise<void>((resolve) => (asked = resolve));
        respond = (review, response, request) => {
          asked();
          return attack(review, response, request);
        };
        const refused = send('POST', CONFIG_MAPS, configMap('a'));
        await asking;
        await workOfOthers(send);
        const answer = await refused;
        assert.equal(answer.status, 500);
        assert.match(answer.message, /^Internal error occurred: failed calling webhook "w\.example\.com": /);
        assert.match(answer.message, message);
        assert.equal((await send('GET', `${CONFIG_MAPS}/a`)).status, 404);
        assert.equal((await send('DELETE', `${CONFIGURATIONS}/c`)).status, 200);
        assert.equal((await send('POST', CONFIG_MAPS, configMap('a'))).status, 201);
      };
      await withWebhook(run, timeoutSeconds === undefined ? {} : { timeoutSeconds });
    });
  }

  it('hangs delays its own requests only, however many there are', async () => {
    await withWebhook(async (send) => {
      const held: ServerResponse[] = [];
      respond = (_, response) => held.push(response);
      let pending = 100;
      const refused = Array.from({ length: pending }, async (_, index) => {
        const { status } = await send('POST', CONFIG_MAPS, configMap(`a-${String(index)}`));
        pending--;
        return status;
      });
      await workOfOthers(send);
      assert.equal(pending, 100);
      respond = (_, response) => response.destroy();
      for (const response of held) response.destroy();
      assert.deepEqual(new Set(await Promise.all(refused)), new Set([500]));
    });
  });

  it('has the certificate of another authority is not asked', async () => {
    await withWebhook(
      async (send) => {
        respond = () => assert.fail('asked');
        const { status, message } = await send('POST', CONFIG_MAPS, configMap('a'));
        assert.equal(status, 500);
        assert.match(message, /tls: failed to verify certificate: x509: certificate signed by unknown authority$/);
      },
      { caBundle: other.certificate },
    );
  });

  it('writes to the server, which asks it again, ends with its timeout', async () => {
    await withWebhook(
      async (send) => {
        const inner: Promise<unknown>[] = [];
        respond = (review, response, request) => {
          const sent = send('POST', CONFIG_MAPS, configMap(`a-${String(inner.length)}`));
          inner.push(sent.then(() => allow(review, response, request)));
        };
        const refused = send('POST', CONFIG_MAPS, configMap('a'));
        await workOfOthers(send);
        assert.equal((await refused).status, 500);
        const depth = inner.length;
        assert.ok(depth <= 32, `asked ${String(depth)} times`);
        respond = allow;
        for (let settled = 0; settled < inner.length; ) settled = (await Promise.all(inner)).length;
      },
      { timeoutSeconds: 1 },
    );
  });

  it('is deleted is asked no more', async () => {
    await withWebhook(async (send) => {
      respond = () => assert.fail('asked');
      assert.equal((await send('DELETE', `${CONFIGURATIONS}/c`)).status, 200);
      assert.equal((await send('POST', CONFIG_MAPS, configMap('a'))).status, 201);
    });
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { after, before, describe, it } from 'node:test';
import { type Clock, seededRandom, systemClock } from '@binnacle/apimachinery/clock';
import { Egress } from '../egress/index.js';
import { makeTestCertificate } from '../testing/index.js';
import { LongAnswers } from './long-answers.js';
import { RemoteService, type RemoteServiceConfig, type RemoteServiceOptions } from './remote-service.js';

const own = makeTestCertificate('/CN=service', { alternativeNames: 'DNS:service.example' });
const client = makeTestCertificate('/CN=client');

describe('RemoteService', () => {
  let server: Server;
  let url: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  before(async () => {
    const tls = { cert: own.certificate, key: own.privateKey, requestCert: true, rejectUnauthorized: false };
    server = createServer(tls, (request, response) => {
      request.resume().on('end', () => answer(request, response));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/path`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  function service(config: Partial<RemoteServiceConfig> = {}, options: Partial<RemoteServiceOptions> = {}) {
    const trusted = { certificateAuthority: own.certificate, serverName: 'service.example' };
    return new RemoteService(
      { url, ...trusted, credentials: () => ({}), ...config },
      {
        egress: new Egress(),
        clock: systemClock,
        random: seededRandom(1),
        maximumAnswerBytes: 1000,
        longAnswers: new LongAnswers(),
        ...options,
      },
    );
  }
  const limits = { timeoutSeconds: 30, deadline: Number.POSITIVE_INFINITY };
  const post = async (from: RemoteService) => {
    try {
      return (await from.post(Buffer.from('{}'), limits)).toString();
    } finally {
      from.close();
    }
  };

  it('presents its current credentials', async () => {
    answer = (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      response.end(`${request.url ?? ''} ${request.headers.authorization ?? ''} ${subject.CN}`);
    };
    const credentials = {
      authorization: 'Bearer t',
      clientCertificate: client.certificate,
      clientKey: client.privateKey,
    };
    assert.equal(await post(service({ credentials: () => credentials })), '/path?timeout=30s Bearer t client');
  });

  it('says which credentials were rejected', async () => {
    answer = (_, response) => response.writeHead(401).end();
    const credentials = { authorization: 'Bearer old' };
    const rejected: unknown[] = [];
    await assert.rejects(
      post(service({ credentials: () => credentials, rejected: (given) => rejected.push(given) })),
      /^WebhookCallError: the server has asked for the client to provide credentials$/,
    );
    assert.equal(rejected[0], credentials);
  });

  it('verifies the name and the authority of the service, unless it is told not to', async () => {
    answer = (_, response) => response.end('ok');
    const unknown = /x509: certificate signed by unknown authority$/;
    await assert.rejects(post(service({ certificateAuthority: client.certificate })), unknown);
    await assert.rejects(post(service({ serverName: 'other.example' })), /x509: certificate is valid for service/);
    assert.equal(await post(service({ certificateAuthority: undefined, skipsVerification: true })), 'ok');
  });

  it('tries five times after transient failures, with growing pauses', async () => {
    let asked = 0;
    answer = (_, response) => {
      asked++;
      response.writeHead(500).end();
    };
    const pauses: number[] = [];
    const clock: Clock = {
      ...systemClock,
      setTimer: (run, milliseconds) => {
        if (milliseconds === 30_000) return systemClock.setTimer(run, milliseconds);
        pauses.push(milliseconds);
        return systemClock.setTimer(run, 0);
      },
    };
    await assert.rejects(post(service({}, { clock })));
    assert.equal(asked, 5);
    assert.equal(pauses.length, 4);
    for (const [index, pause] of pauses.entries()) {
      const least = 500 * 1.5 ** index;
      assert.ok(pause >= least && pause < least * 1.2, String(pause));
    }
  });

  it('does not try again after other failures, or past the deadline', async () => {
    // A slow machine must not reach the deadline before the first answer.
    const clock: Clock = { ...systemClock, monotonic: () => 0, setTimer: (run) => systemClock.setTimer(run, 60_000) };
    for (const [status, deadline] of [
      [400, Number.POSITIVE_INFINITY],
      [503, Number.POSITIVE_INFINITY],
      [500, 400],
    ] as const) {
      let asked = 0;
      answer = (_, response) => {
        asked++;
        response.writeHead(status).end();
      };
      const called = service({}, { clock });
      await assert.rejects(called.post(Buffer.from('{}'), { timeoutSeconds: 30, deadline }));
      called.close();
      assert.equal(asked, 1, String(status));
    }
  });
});

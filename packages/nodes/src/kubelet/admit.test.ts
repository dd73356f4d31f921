import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { before, describe, it } from 'node:test';
import { connect, createServer, TLSSocket } from 'node:tls';
import { systemClock, VirtualClock } from '@binnacle/apimachinery/clock';
import { type CertificatePair, createIssuer } from '@binnacle/client/certificates';
import type { DelegatedAttributes } from '@binnacle/client/delegation';
import { admit } from './admit.js';

/** What the cluster was asked about; it allows only `proxy` to every user but `nobody`. */
function cluster() {
  const asked: DelegatedAttributes[] = [];
  const delegation = {
    userOf: async (token: string) =>
      token === 'bad' ? undefined : { name: token, uid: 'u', groups: ['g'], extra: { from: ['token'] } },
    authorize: async (attributes: DelegatedAttributes) => {
      asked.push(attributes);
      return { allowed: attributes.subresource === 'proxy' && attributes.user.name !== 'nobody', reason: '' };
    },
  };
  return { asked, delegation };
}

function requestOn(socket: Socket, { method = 'GET', authorization = '' } = {}): IncomingMessage {
  const request = new IncomingMessage(socket);
  request.method = method;
  if (authorization !== '') request.headers.authorization = authorization;
  return request;
}

const PODS = { path: '/pods', node: 'node-0' };

it('a client certificate with two common names is that of the last one, as for the API server', async () => {
  const { asked, delegation } = cluster();
  const validity = { validFrom: 'Jan  1 00:00:00 1970 GMT', validTo: 'Jan  1 00:00:00 2970 GMT' };
  const socket = Object.assign(new TLSSocket(new Socket()), {
    authorized: true,
    getPeerX509Certificate: () => validity,
    getPeerCertificate: () => ({ subject: { CN: ['admin', 'jane'], O: 'dev' } }),
  });
  await admit(requestOn(socket), PODS, { delegation, clock: new VirtualClock() }).catch(() => undefined);
  assert.deepEqual(
    asked.map(({ user }) => [user.name, ...user.groups]),
    asked.map(() => ['jane', 'dev', 'system:authenticated']),
  );
  assert.notEqual(asked.length, 0);
});

describe('a request with a token', () => {
  it('is admitted with any of the rights that its page needs', async () => {
    const { asked, delegation } = cluster();
    const request = requestOn(new Socket(), { authorization: 'bearer  reader ' });
    await admit(request, PODS, { delegation, clock: new VirtualClock() });
    assert.deepEqual(
      asked.map(({ user, subresource, name }) => [user.name, subresource, name]),
      [
        ['reader', 'pods', 'node-0'],
        ['reader', 'proxy', 'node-0'],
      ],
    );
  });

  const refused: readonly (readonly [string, string, string, number, string])[] = [
    ['no token', '', 'GET', 401, 'Unauthorized'],
    ['another scheme', 'Basic reader', 'GET', 401, 'Unauthorized'],
    ['two words', 'Bearer a b', 'GET', 401, 'Unauthorized'],
    ['an unknown token', 'Bearer bad', 'GET', 401, 'Unauthorized'],
    [
      'no right',
      'Bearer nobody',
      'POST',
      403,
      'Forbidden (user=nobody, verb=create, resource=nodes, subresource(s)=[pods proxy])\n',
    ],
  ];
  for (const [what, authorization, method, code, message] of refused) {
    it(`is refused with ${what}`, async () => {
      const request = requestOn(new Socket(), { method, authorization });
      const { delegation } = cluster();
      await assert.rejects(admit(request, PODS, { delegation, clock: new VirtualClock() }), {
        name: 'Refusal',
        code,
        message,
      });
    });
  }

  it('fails when the cluster does not answer', async () => {
    const delegation = { ...cluster().delegation, userOf: () => Promise.reject(new Error('no connection')) };
    const request = requestOn(new Socket(), { authorization: 'Bearer reader' });
    await assert.rejects(admit(request, PODS, { delegation, clock: new VirtualClock() }), /^Error: no connection$/);
  });
});

describe('a request with a client certificate', () => {
  let issued: Readonly<Record<'admin' | 'bare' | 'unnamed' | 'stranger', CertificatePair>>;
  let authority: string;
  let serving: CertificatePair;
  before(async () => {
    const now = systemClock.now();
    const [issuer, other] = [await createIssuer('cluster', now), await createIssuer('stranger', now)];
    authority = issuer.authority.certificate;
    serving = issuer.issueServing('system:node', ['localhost']);
    issued = {
      admin: issuer.issueClient({ commonName: 'admin', organization: 'system:masters' }),
      bare: issuer.issueClient({ commonName: 'bare' }),
      unnamed: issuer.issueClient({ commonName: '' }),
      stranger: other.issueClient({ commonName: 'admin', organization: 'system:masters' }),
    };
  });

  /** The server's side of a connection whose client has presented a certificate. */
  const presented = async ({ certificate: cert, privateKey: key }: CertificatePair): Promise<TLSSocket> => {
    const { certificate, privateKey } = serving;
    const options = { cert: certificate, key: privateKey, ca: authority, requestCert: true, rejectUnauthorized: false };
    const server = createServer(options);
    const [client, accepted] = duplexPair();
    const secured = once(server, 'secureConnection');
    server.emit('connection', accepted);
    const sent = connect({ socket: client, cert, key, rejectUnauthorized: false });
    sent.on('error', () => undefined);
    const [socket] = (await secured) as [TLSSocket];
    return socket;
  };

  const userWith = async (pair: CertificatePair, clock = systemClock, authorization = '') => {
    const { asked, delegation } = cluster();
    const request = requestOn(await presented(pair), { authorization });
    await admit(request, { path: '/exec/n/p/c', node: 'node-0' }, { delegation, clock });
    return asked[0]?.user;
  };

  it('has its subject as the user', async () => {
    const user = { name: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };
    assert.deepEqual(await userWith(issued.admin), user);
    assert.deepEqual(await userWith(issued.admin, systemClock, 'Bearer reader'), user);
    assert.deepEqual((await userWith(issued.bare))?.groups, ['system:authenticated']);
  });

  it('is refused if another authority has signed it, or it has no name', async () => {
    await assert.rejects(userWith(issued.stranger), { code: 401 });
    await assert.rejects(userWith(issued.unnamed), { code: 401 });
    assert.equal((await userWith(issued.stranger, systemClock, 'Bearer reader'))?.name, 'reader');
  });

  it('is refused before and after it is valid', async () => {
    const year = 365 * 86_400_000;
    for (const offset of [-year, 10 * year]) {
      await assert.rejects(userWith(issued.admin, new VirtualClock(systemClock.now() + offset)), { code: 401 });
    }
  });
});

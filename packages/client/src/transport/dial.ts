import { request as httpRequest } from 'node:http';
import { connect as netConnect, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkServerIdentity, connect as tlsConnect, type TLSSocket } from 'node:tls';
import { type Clock, Deadline, reasonOf } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { ClientConfig, Credentials } from '../kubeconfig/index.js';
import { ConnectionError } from './exchange.js';

export interface Dialed {
  readonly socket: Duplex;
  readonly protocol: 'h2' | 'http/1.1';
}

/** Connects to the server with this client certificate. Rejects with a {@link ConnectionError}. */
export type Dial = (as: Credentials) => Promise<Dialed>;

/** The time limit for a connection. */
const CONNECT_MILLISECONDS = 30_000;

/** Connects to the server of a configuration, through its proxy if it has one. */
export function dialer(config: ClientConfig, clock: Clock): Dial {
  const server = new URL(config.server);
  const secure = server.protocol === 'https:';
  const host = bare(server.hostname);
  const port = server.port === '' ? (secure ? 443 : 80) : Number(server.port);
  return async (as) => {
    using deadline = new Deadline(clock, CONNECT_MILLISECONDS, undefined, `connecting to ${server.host}`);
    try {
      const plain =
        config.proxyUrl === undefined
          ? undefined
          : await throughProxy(new URL(config.proxyUrl), host, port, deadline.signal);
      if (secure) return await dialTls(config, as, host, port, plain, deadline.signal);
      return {
        socket: plain ?? (await opened(netConnect(port, host), 'connect', deadline.signal)),
        protocol: 'http/1.1',
      };
    } catch (error) {
      throw new ConnectionError('connecting', `${server.host}: ${explain(error)}`, { cause: error });
    }
  };
}

async function dialTls(
  config: ClientConfig,
  as: Credentials,
  host: string,
  port: number,
  plain: Duplex | undefined,
  signal: AbortSignal,
): Promise<Dialed> {
  const name = config.tlsServerName ?? host;
  const socket: TLSSocket = tlsConnect({
    ...(plain === undefined ? { host, port } : { socket: plain }),
    // TLS allows no addresses as server names.
    servername: isIP(name) === 0 ? name : '',
    ALPNProtocols: ['h2', 'http/1.1'],
    rejectUnauthorized: config.insecureSkipTlsVerify !== true,
    // Without alternative names, Node.js would take the common name. Go does not.
    checkServerIdentity: (_, certificate) =>
      checkServerIdentity(name, { ...certificate, subject: { ...certificate.subject, CN: '' } }),
    ...(config.certificateAuthority === undefined ? {} : { ca: config.certificateAuthority }),
    ...(as.clientCertificate === undefined ? {} : { cert: as.clientCertificate }),
    ...(as.clientKey === undefined ? {} : { key: as.clientKey }),
  });
  socket.setNoDelay(true);
  await opened(socket, 'secureConnect', signal);
  return { socket, protocol: socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1' };
}

function throughProxy(proxy: URL, host: string, port: number, signal: AbortSignal): Promise<Duplex> {
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') {
    return Promise.reject(new Error(`proxy protocol ${proxy.protocol} is not supported; use http: or https:`));
  }
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const proxyHost = bare(proxy.hostname);
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const request = httpRequest({
    method: 'CONNECT',
    path: target,
    headers: {
      host: target,
      ...(user === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
    },
    signal,
    createConnection: () =>
      proxy.protocol === 'https:'
        ? tlsConnect({
            host: proxyHost,
            port: Number(proxy.port || 443),
            servername: isIP(proxyHost) === 0 ? proxyHost : '',
          })
        : netConnect(Number(proxy.port || 80), proxyHost),
  });
  return new Promise((resolve, reject) => {
    request.once('error', (error) => reject(new Error(`proxy ${proxy.host}: ${error.message}`, { cause: error })));
    request.once('response', (response) => {
      response.destroy();
      reject(new Error(`proxy ${proxy.host} answered ${response.statusCode} to CONNECT`));
    });
    request.once('connect', (response, socket) => {
      if (response.statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        reject(new Error(`proxy ${proxy.host} answered ${response.statusCode} to CONNECT`));
      }
    });
    request.end();
  });
}

function opened<T extends Duplex>(socket: T, event: string, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => socket.destroy(reasonOf(signal));
    signal.addEventListener('abort', abort, { once: true });
    const settle = (finish: () => void) => () => {
      signal.removeEventListener('abort', abort);
      finish();
    };
    socket.once('error', (error) => settle(() => reject(error))());
    socket.once(
      'close',
      settle(() => reject(new Error('the connection was closed'))),
    );
    socket.once(
      event,
      settle(() => resolve(socket)),
    );
  });
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function explain(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(messageOf).join('; ');
  }
  return messageOf(error);
}

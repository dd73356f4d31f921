import { abortable } from '@binnacle/apimachinery/clock';
import type { ClientConfig, Credentials } from '../kubeconfig/index.js';
import type { Send, SendOptions, TransportRequest, TransportResponse } from './exchange.js';

/** Sends over a connection with this client certificate. */
export type SendAs = (request: TransportRequest, options: SendOptions, as: Credentials) => Promise<TransportResponse>;

/**
 * Adds credentials. It asks a credential source for every request. After a 401, which means that the server did not act, it repeats the request once
 * if the source has new credentials.
 */
export function withAuthentication(next: SendAs, config: ClientConfig): Send {
  const fixed: Credentials = {
    token: config.token,
    clientCertificate: config.clientCertificate,
    clientKey: config.clientKey,
  };
  const { credentials: source } = config;
  const attempt = (request: TransportRequest, options: SendOptions, as: Credentials) => {
    const authorization = authorizationOf(as, config);
    if (authorization === undefined || request.headers?.['authorization'] !== undefined)
      return next(request, options, as);
    return next({ ...request, headers: { ...request.headers, authorization } }, options, as);
  };
  if (source === undefined) return async (request, options) => attempt(request, options, fixed);

  return async (request, options) => {
    const current = await abortable(source.current(options.signal), options.signal);
    const response = await attempt(request, options, merged(current, fixed));
    if (response.status !== 401) return response;
    source.rejected(current);
    const renewed = await abortable(source.current(options.signal), options.signal);
    if (renewed === current) return response;
    response.cancel();
    return attempt(request, options, merged(renewed, fixed));
  };
}

function merged(current: Credentials, fixed: Credentials): Credentials {
  return {
    token: current.token ?? fixed.token,
    clientCertificate: current.clientCertificate ?? fixed.clientCertificate,
    clientKey: current.clientKey ?? fixed.clientKey,
  };
}

function authorizationOf({ token }: Credentials, { username, password = '' }: ClientConfig): string | undefined {
  if (token !== undefined && token !== '') return `Bearer ${token}`;
  if (username === undefined || username === '') return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

import { hash } from 'node:crypto';
import type { Exchange } from '../request/index.js';
import type { Caller } from '../slices/index.js';

/** A connection, whose client is known from its first request on. */
export interface Connection extends Caller {
  client: string | undefined;
}

/**
 * By what a client is told from others before it is authenticated: its certificate, its credentials or its address. One who invents
 * credentials needs a connection for each.
 */
export function clientOf({ peerCertificate, headers, remoteAddress }: ClientFacts): string {
  if (peerCertificate?.sha256 !== undefined) return peerCertificate.sha256;
  const { authorization } = headers;
  // A hash, because credentials can be long and connections are many.
  return authorization === undefined ? remoteAddress : hash('sha256', authorization, 'base64');
}

type ClientFacts = Pick<Exchange, 'peerCertificate' | 'headers' | 'remoteAddress'>;

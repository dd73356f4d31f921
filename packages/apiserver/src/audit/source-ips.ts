import { isIP } from 'node:net';
import type { Exchange } from '../request/index.js';

/** Kernels show IPv4 peers of IPv6 sockets like this. */
const MAPPED = '::ffff:';

/**
 * The addresses of a request, the nearest last: those that proxies report, then the peer's own, the only one that a client cannot make up.
 * Upstream: apimachinery `SourceIPs` of `pkg/util/net/http.go`.
 */
export function sourceIpsOf(exchange: Pick<Exchange, 'headers' | 'headerValues' | 'remoteAddress'>): readonly string[] {
  const { headers } = exchange;
  if (headers['x-forwarded-for'] === undefined && headers['x-real-ip'] === undefined) return ofPeer(exchange);
  const [forwarded = ''] = exchange.headerValues('x-forwarded-for');
  const addresses = forwarded
    .split(',')
    .map((part) => part.trim())
    .filter(isAddress);
  const [real = ''] = exchange.headerValues('x-real-ip');
  if (isAddress(real) && !addresses.includes(real)) addresses.push(real);
  const remote = plain(exchange.remoteAddress);
  if (isAddress(remote) && addresses.at(-1) !== remote) addresses.push(remote);
  return addresses;
}

/** The lists of many peers; a busy server has fewer. */
const MOST_PEERS = 1000;
const peers = new Map<string, readonly string[]>();

/** The list of a peer is kept, and so is what is made of it: a client sends many requests. */
function ofPeer({ remoteAddress }: Pick<Exchange, 'remoteAddress'>): readonly string[] {
  const known = peers.get(remoteAddress);
  if (known !== undefined) return known;
  const address = plain(remoteAddress);
  const addresses = isAddress(address) ? [address] : [];
  if (peers.size >= MOST_PEERS) peers.clear();
  peers.set(remoteAddress, addresses);
  return addresses;
}

const isAddress = (text: string): boolean => isIP(text) !== 0;

function plain(address: string): string {
  return address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
}

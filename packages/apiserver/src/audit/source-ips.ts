import { isIP } from 'node:net';
import type { Exchange } from '../request/index.js';

/** Kernels show IPv4 peers of IPv6 sockets like this. */
const MAPPED = '::ffff:';

/**
 * The addresses of a request, the nearest last: those that proxies report, then the peer's own, which alone is not a claim.
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

let lastPeer: { readonly address: string; readonly addresses: readonly string[] } | undefined;

/** The list of the last peer is kept: one client sends many requests. */
function ofPeer({ remoteAddress }: Pick<Exchange, 'remoteAddress'>): readonly string[] {
  if (lastPeer?.address !== remoteAddress) {
    const address = plain(remoteAddress);
    lastPeer = { address: remoteAddress, addresses: isAddress(address) ? [address] : [] };
  }
  return lastPeer.addresses;
}

const isAddress = (text: string): boolean => isIP(text) !== 0;

function plain(address: string): string {
  return address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
}

import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

/** The name of this server in metrics, among those that share a store. Upstream: apiserver `pkg/server/config.go` APIServerID. */
export function serverName(): string {
  const host = createHash('sha256').update(hostname()).digest();
  return `apiserver-${base32(host.subarray(0, 16))}`;
}

/** In lower case, without padding. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

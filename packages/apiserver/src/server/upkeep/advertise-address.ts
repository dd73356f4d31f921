import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Who keeps the endpoints of the `kubernetes` service. Upstream: `--endpoint-reconciler-type`. */
export type EndpointReconciler = 'lease' | 'none';

/**
 * The address of the `kubernetes` service: the bound one, or the machine's first if the server binds all. Undefined
 * for a server on loopback only, which no other machine can reach. Upstream: `--advertise-address`.
 */
export function advertiseAddress(bindAddress: string): string | undefined {
  if (bindAddress.startsWith('127.') || bindAddress === '::1' || bindAddress === 'localhost') return undefined;
  if (bindAddress !== '0.0.0.0' && bindAddress !== '::') return bindAddress;
  for (const addresses of Object.values(networkInterfaces())) {
    const found = addresses?.find((each) => !each.internal && each.family === 'IPv4');
    if (found !== undefined) return found.address;
  }
  return undefined;
}

interface Addresses {
  readonly bindAddress: string;
  /** Takes precedence. */
  readonly advertiseAddress?: string | undefined;
}

/** The `host:port` that discovery tells clients. A server on loopback only names the bound address. */
export function serverAddressOf({ bindAddress, advertiseAddress: given }: Addresses, port: number): string {
  const host = given ?? advertiseAddress(bindAddress) ?? bindAddress;
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

import { networkInterfaces } from 'node:os';

/**
 * The address that the `kubernetes` service leads to: the bound one, or the machine's first where all are bound. None for
 * a server on the loopback interface alone, which nobody else can reach. Upstream: `--advertise-address`.
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

import { parseIpPrefix } from '@binnacle/apimachinery/validation';
import { isIP } from 'node:net';
import type { StartOptions } from './options.js';
import { usageError } from '../start-error.js';

/** The smallest ranges with room for services. Upstream: kube-apiserver `cmd/kube-apiserver/app/options`. */
const longestPrefix = { 4: 30, 6: 126 } as const;

/** Start options whose addresses have their defaults. */
export interface OptionsWithAddresses extends StartOptions {
  readonly bindAddress: string;
  readonly securePort: number;
  readonly serviceClusterIPRange: string;
}

export function checkAddresses(options: OptionsWithAddresses): void {
  const { bindAddress, securePort } = options;
  if (isIP(bindAddress) === 0) {
    throw usageError(`--bind-address ${JSON.stringify(bindAddress)} is not an IP address`);
  }
  if (!Number.isInteger(securePort) || securePort < 0 || securePort > 65535) {
    throw usageError(
      `--secure-port ${securePort} is not a port: give a number from 1 to 65535, or 0 for any free port`,
    );
  }
  checkAdvertised(options);
  checkServiceRange(options.serviceClusterIPRange);
  checkNetworks('--egress-deny-cidrs', options.egressDenyCidrs, '10.0.0.0/8');
  checkNetworks('--load-balancer-ip-range', options.loadBalancerIPRange, '192.168.100.0/24');
}

/** Upstream: `ValidateEndpointIP`, and `pkg/controlplane/reconcilers`. */
function checkAdvertised({ advertiseAddress: address, endpointReconcilerType: type = 'lease' }: StartOptions): void {
  if (type !== 'lease' && type !== 'none') {
    throw usageError(`--endpoint-reconciler-type ${JSON.stringify(type)}: give lease or none`);
  }
  if (address === undefined) return;
  if (isIP(address) === 0) throw usageError(`--advertise-address ${JSON.stringify(address)} is not an IP address`);
  if (/^(127\.|0\.0\.0\.0$|::1?$)/.test(address)) {
    throw usageError(`--advertise-address ${address} is not an address at which other machines reach this one`);
  }
}

function checkNetworks(option: string, text: string | undefined, example: string): void {
  const wrong = text?.split(',').find((network) => parseIpPrefix(network.trim()) === undefined);
  if (wrong !== undefined) throw usageError(`${option} ${JSON.stringify(wrong)} is not a CIDR, such as ${example}`);
}

function checkServiceRange(text: string): void {
  const ranges = text.split(',');
  const prefixes = ranges.map((range) => parseIpPrefix(range.trim()));
  const families = prefixes.map((prefix) => prefix?.address.family);
  if (prefixes.some((prefix) => prefix === undefined || prefix.length > longestPrefix[prefix.address.family])) {
    throw usageError(
      `--service-cluster-ip-range ${JSON.stringify(text)} is not a CIDR with room for services, such as 10.0.0.0/24`,
    );
  }
  if (families.length > 2 || (families.length === 2 && families[0] === families[1])) {
    throw usageError(
      `--service-cluster-ip-range ${JSON.stringify(text)} may hold one range, or one IPv4 and one IPv6 range`,
    );
  }
}

import type { Node } from '@binnacle/api/types/core-v1';
import { unclassified } from '@binnacle/apimachinery/status';
import type { Destination } from './destination.js';

/** How the server finds kubelets. */
export interface KubeletAddressing {
  /** Types of addresses in `status.addresses`, the preferred one first. */
  readonly preferredAddressTypes: readonly string[];
  /** The port of a kubelet whose node names none. */
  readonly port: number;
}

/** The address of a node's kubelet. Throws when the node has none of the preferred types. Upstream: `GetConnectionInfo`. */
export function kubeletAddress(
  { status }: Pick<Node, 'status'>,
  { preferredAddressTypes, port }: KubeletAddressing,
): Pick<Destination, 'host' | 'port'> {
  const addresses = status?.addresses ?? [];
  const [found] = preferredAddressTypes.flatMap((type) => addresses.filter((each) => each.type === type));
  if (found === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw unclassified(`no preferred addresses found; known addresses: [${known}]`);
  }
  const reported = status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  return { host: found.address, port: reported > 0 ? reported : port };
}

/**
 * Whether the kubelet of a node speaks WebSocket of version 5, and SPDY in WebSocket, itself. Upstream: the feature
 * `ExtendWebSocketsToKubelet`.
 */
export function speaksWebSocket({ status }: Pick<Node, 'status'>): boolean {
  return status?.declaredFeatures?.includes('ExtendWebSocketsToKubelet') ?? false;
}

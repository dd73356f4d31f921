import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { DeniedNetworks } from './denied-networks.js';

/** The server may not connect to the address, so nothing was sent. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly code = 'EEGRESS';
}

/** Where this machine answers for an address; undefined: the address itself answers. */
export type LocalAddress = (address: string) => string | undefined;

/**
 * Decides to which addresses the server connects for webhooks, aggregated API servers and the like, whose addresses
 * come from objects that users write. It judges the address of the connection, after names are resolved.
 */
export class Egress {
  readonly #denied: DeniedNetworks;
  readonly #localAddress: LocalAddress;

  /** `denied`: CIDRs besides those that are always denied. Throws if one of them is not a CIDR. */
  constructor(denied: readonly string[] = [], localAddress: LocalAddress = () => undefined) {
    this.#denied = new DeniedNetworks(denied);
    this.#localAddress = localAddress;
  }

  /** Where to connect for a host that an object names: the local address that answers for it, or the host itself. */
  placeOf(host: string): string {
    return this.#localAddress(host) ?? host;
  }

  /** Why the server may not connect to this host; undefined for a name, which {@link lookup} decides. */
  refusalOf(host: string): EgressError | undefined {
    return isIP(host) !== 0 && this.#denied.includes(host) ? refused(host) : undefined;
  }

  /** Resolves a name to the addresses that are not denied. Fails when there are none. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) {
        callback(error, '');
        return;
      }
      const permitted = addresses.filter(({ address }) => !this.#denied.includes(address));
      const [first] = permitted;
      if (first === undefined) callback(refused(addresses.map(({ address }) => address).join()), '');
      else if (options.all === true) callback(null, permitted);
      else callback(null, first.address, first.family);
    });
  };
}

function refused(addresses: string): EgressError {
  return new EgressError(`dial tcp ${addresses}: the server may not connect to this network`);
}

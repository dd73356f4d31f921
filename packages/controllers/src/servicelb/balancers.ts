import { type Indexer, objectKey } from '@binnacle/client/cache';
import { hasFinalizer } from '@binnacle/client/controller';
import type { Service } from '@binnacle/client/kinds/core/v1';
import type { AddressRange } from './address-range.js';
import { addressesOf, assignAddresses, FINALIZER, fingerprint, wantsLoadBalancer } from './load-balancer.js';

const BY_ADDRESS = 'load-balancer-address';
const WANTING = 'load-balancer-wanting';

/** For `reads` of the controller. */
export const serviceIndexes = {
  [BY_ADDRESS]: addressesOf,
  [WANTING]: (service: Service) => [wantsLoadBalancer(service) ? 'all' : undefined],
};

export function servicesWithBalancer(services: Indexer<Service>): Service[] {
  return services.byIndex(WANTING, 'all');
}

/** What this process knows of a load balancer. */
interface Balancer {
  readonly addresses: readonly string[];
  /** Undefined until the service's status has the addresses. */
  readonly ensured: { readonly fingerprint: string; readonly backends: string } | undefined;
}

/**
 * The simulated cloud: which service has which address. Addresses in the status of services count, so a new process knows them all. Memory only
 * bridges the time until the cache shows a status.
 */
export class Balancers {
  readonly #services: Indexer<Service>;
  readonly #ranges: readonly AddressRange[];
  /** By `namespace/name`. */
  readonly #known = new Map<string, Balancer>();
  /** By address, the key of the service that has it. */
  readonly #holders = new Map<string, string>();

  constructor(services: Indexer<Service>, ranges: readonly AddressRange[]) {
    this.#services = services;
    this.#ranges = ranges;
  }

  /** Whether this process has ensured the load balancer as the service wants it, apart from its nodes. */
  isCurrent(service: Service): boolean {
    return this.#known.get(objectKey(service))?.ensured?.fingerprint === fingerprint(service);
  }

  hasBackends(service: Service, backends: string): boolean {
    return this.#known.get(objectKey(service))?.ensured?.backends === backends;
  }

  has(service: Service): boolean {
    return addressesOf(service).length > 0 || this.#known.has(objectKey(service));
  }

  /** The addresses of the load balancer. Throws if there is none for it. */
  assign(service: Service): readonly string[] {
    const key = objectKey(service);
    const addresses = assignAddresses(service, this.#ranges, (address) => this.#isFree(address, key));
    this.release(key);
    for (const address of addresses) this.#holders.set(address, key);
    this.#known.set(key, { addresses, ensured: undefined });
    return addresses;
  }

  /** Whether another process has ensured the load balancer, so that nothing is left to do. Upstream repeats its events at each start. */
  takesOver(service: Service): boolean {
    const present = addressesOf(service);
    if (this.#known.has(objectKey(service)) || !hasFinalizer(service, FINALIZER) || present.length === 0) return false;
    try {
      return this.assign(service).join() === present.join();
    } catch {
      return false;
    }
  }

  /** The service's status has the addresses. */
  remember(service: Service, backends: string): void {
    const key = objectKey(service);
    const addresses = this.#known.get(key)?.addresses ?? [];
    this.#known.set(key, { addresses, ensured: { fingerprint: fingerprint(service), backends } });
  }

  /** The service of this key is gone or wants no load balancer. */
  release(key: string): void {
    for (const address of this.#known.get(key)?.addresses ?? []) this.#holders.delete(address);
    this.#known.delete(key);
  }

  #isFree(address: string, key: string): boolean {
    if ((this.#holders.get(address) ?? key) !== key) return false;
    return this.#services.byIndex(BY_ADDRESS, address).every((holder) => objectKey(holder) === key);
  }
}

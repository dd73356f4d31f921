import type { Random } from '@binnacle/apimachinery/clock';
import type { IPAddress, ParentReference, ServiceCIDR } from '@binnacle/api/types/networking-v1';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { internalError, StatusError } from '@binnacle/apimachinery/status';
import { type IpFamily, ipFamilyOf, parseIpAddress } from '@binnacle/apimachinery/validation';
import { createOwned, type OwnResource, serverScope } from '../bootstrap/index.js';
import { IP_ADDRESSES, type KindReader, type ObjectOf, SERVICE_CIDRS, type Stores } from '../registry/index.js';
import type { AllocationObserver, AllocationScope, RangeUsage } from './allocation-observer.js';
import { canonicalIp, IpRange } from './ip-range.js';

const MANAGED_BY_LABEL = 'ipaddress.kubernetes.io/managed-by';
const FAMILY_LABEL = 'ipaddress.kubernetes.io/ip-family';
const IP_ALLOCATOR = 'ipallocator.k8s.io';

const OUT_OF_RANGE = 'the provided network does not match the current range';
const TAKEN = 'provided IP is already allocated';

/** No write takes so long between its claim and its service. Upstream: `repairip`. */
const LEAKED_AFTER_MS = 60_000;

/** The service that holds an address. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

export interface ClusterIpsOptions {
  readonly configured: readonly [IpRange, ...IpRange[]];
  /**
   * The resource that stores IPAddress objects. Undefined while the kind is not served; no address can then be claimed.
   */
  readonly ipAddresses: () => OwnResource | undefined;
  readonly stores: Stores;
  readonly random: Random;
  readonly observer: AllocationObserver;
}

/** Claims an address by creating the IPAddress object with that name. */
export class ClusterIps {
  readonly #options: ClusterIpsOptions;
  readonly #addresses: KindReader<IPAddress>;
  readonly #serviceCidrs: KindReader<ServiceCIDR>;
  readonly #rangesOf = new WeakMap<ObjectOf<ServiceCIDR>, readonly IpRange[]>();
  #usage: { readonly changes: number; readonly byCidr: ReadonlyMap<string, RangeUsage> } | undefined;

  constructor(options: ClusterIpsOptions) {
    this.#options = options;
    this.#addresses = options.stores.reader(IP_ADDRESSES);
    this.#serviceCidrs = options.stores.reader(SERVICE_CIDRS);
  }

  /** Claims this address. Returns the reason when it is not available, otherwise undefined. */
  async claim(service: ServiceName, ip: string): Promise<string | undefined> {
    const address = parseIpAddress(ip);
    if (address === undefined) return OUT_OF_RANGE;
    const range = (await this.#ranges(ipFamilyOf(address))).find((each) => each.contains(address));
    if (range === undefined) return OUT_OF_RANGE;
    return (await this.#create(service, canonicalIp(ip), range, 'static')) ? undefined : TAKEN;
  }

  /** Claims any free address of a family. Throws 500 when the range is full. */
  async claimAny(service: ServiceName, family: IpFamily): Promise<string> {
    this.#endpoint();
    await this.#addresses.ready();
    const reserved = this.#options.configured[0].first;
    for (const range of await this.#ranges(family)) {
      for (const ip of range.candidates(this.#options.random)) {
        if (ip === reserved || this.#addresses.hasCached('', ip)) continue;
        if (await this.#create(service, ip, range, 'dynamic')) return ip;
      }
      this.#options.observer.addressRefused(range.text, 'dynamic');
    }
    throw internalError('failed to allocate a serviceIP: range is full');
  }

  /** Checks a requested address for a dry run. It claims nothing and accepts an address that is already allocated. */
  async previewClaim(ip: string): Promise<string | undefined> {
    const address = parseIpAddress(ip);
    if (address === undefined) return OUT_OF_RANGE;
    const ranges = await this.#ranges(ipFamilyOf(address));
    if (ranges.some((range) => range.contains(address))) return undefined;
    const valid = ranges[0]?.text ?? '';
    return `the provided IP (${canonicalIp(ip)}) is not in the valid range. The range of valid IPs is ${valid}`;
  }

  /** The address that a dry run shows in place of an allocated one. */
  async previewAny(family: IpFamily): Promise<string> {
    const [range] = await this.#ranges(family);
    if (range === undefined) throw internalError('failed to allocate a serviceIP: range is full');
    return range.network;
  }

  /** Releases an address if this service holds it. Never throws: the repair finds an address that leaks here. */
  async release(service: ServiceName, ip: string): Promise<void> {
    try {
      const object = await this.#addresses.find('', canonicalIp(ip));
      if (object === undefined) return;
      const { namespace, name } = parentOf(object);
      if (namespace === service.namespace && name === service.name) await this.remove(object);
    } catch {
      // The object is already deleted, or the store is unreachable. The repair handles both.
    }
  }

  /** Deletes exactly this IPAddress object, and not one that has replaced it. */
  async remove(object: Readonly<KubernetesObject>): Promise<void> {
    const { name = '', uid } = object.metadata;
    const options = uid === undefined ? {} : { preconditions: { uid } };
    await this.#endpoint().store.delete(serverScope(''), name, options);
  }

  /**
   * Removes the claim of an address that no service holds, for a service that is about to be created. The claim is the
   * service's own, or older than any write in progress. Only claims of services count.
   */
  async removeLeaked(service: ServiceName, ip: string): Promise<void> {
    const object = await this.#addresses.find('', ip);
    if (object === undefined || object.spec?.parentRef?.resource !== 'services') return;
    const { namespace, name } = parentOf(object);
    const isOwn = namespace === service.namespace && name === service.name;
    const created = Date.parse(object.metadata.creationTimestamp ?? '');
    if (isOwn || this.#endpoint().clock.now() - created >= LEAKED_AFTER_MS) await this.remove(object);
  }

  /** All addresses claimed by this allocator, on any server. */
  async claimed(): Promise<Readonly<KubernetesObject>[]> {
    await this.#addresses.ready();
    return [...this.#addresses.copiesCached('')].filter(
      (object) => object.metadata.labels?.[MANAGED_BY_LABEL] === IP_ALLOCATOR,
    );
  }

  /** How many addresses of each range are in the caches of this server; no ranges: the caches are not built. */
  get usage(): ReadonlyMap<string, RangeUsage> {
    if (this.#addresses.ready() !== undefined || this.#serviceCidrs.ready() !== undefined) return new Map();
    const changes = this.#addresses.changes + this.#serviceCidrs.changes;
    if (this.#usage?.changes !== changes) this.#usage = { changes, byCidr: this.#countByCidr() };
    return this.#usage.byCidr;
  }

  #countByCidr(): ReadonlyMap<string, RangeUsage> {
    const ranges = this.#rangesInForce();
    const allocated = ranges.map(() => 0);
    for (const name of this.#addresses.namesCached()) {
      const address = parseIpAddress(name);
      if (address === undefined) continue;
      for (const [index, range] of ranges.entries()) {
        if (range.contains(address)) allocated[index] = (allocated[index] ?? 0) + 1;
      }
    }
    return new Map(
      ranges.map(({ text, size }, index) => {
        const count = allocated[index] ?? 0;
        return [text, { allocated: count, available: size - count }];
      }),
    );
  }

  async #create(service: ServiceName, ip: string, range: IpRange, scope: AllocationScope): Promise<boolean> {
    const { observer } = this.#options;
    const { clock } = this.#endpoint();
    const start = clock.monotonic();
    try {
      await createOwned(ipAddressObject(service, ip, range.family), this.#endpoint());
      observer.addressClaimed(range.text, scope, (clock.monotonic() - start) / 1000);
      return true;
    } catch (error) {
      observer.addressRefused(range.text, scope);
      if (error instanceof StatusError && error.reason === 'AlreadyExists') return false;
      throw error;
    }
  }

  async #ranges(family: IpFamily): Promise<IpRange[]> {
    await this.#serviceCidrs.ready();
    return this.#rangesInForce().filter((range) => range.family === family);
  }

  #rangesInForce(): readonly IpRange[] {
    const stored = [...this.#serviceCidrs.eachCached('')];
    return stored.length === 0 ? this.#options.configured : stored.flatMap((cidr) => this.#rangesIn(cidr));
  }

  #rangesIn(cidr: ObjectOf<ServiceCIDR>): readonly IpRange[] {
    let ranges = this.#rangesOf.get(cidr);
    if (ranges === undefined) {
      const { metadata, spec, status } = cidr;
      const ready = status?.conditions?.find((condition) => condition.type === 'Ready')?.status ?? 'True';
      const usable = ready === 'True' && metadata.deletionTimestamp === undefined;
      ranges = usable ? (spec?.cidrs ?? []).map((text) => new IpRange(text)) : [];
      this.#rangesOf.set(cidr, ranges);
    }
    return ranges;
  }

  #endpoint(): OwnResource {
    const endpoint = this.#options.ipAddresses();
    if (endpoint === undefined)
      throw internalError('failed to allocate a serviceIP: networking.k8s.io/v1 ipaddresses is not served');
    return endpoint;
  }
}

export function parentOf(object: Readonly<KubernetesObject>): ServiceName {
  const { spec } = asKind<Partial<IPAddress>>(object);
  const { namespace = '', name = '' }: Partial<ParentReference> = spec?.parentRef ?? {};
  return { namespace, name };
}

function ipAddressObject({ namespace, name }: ServiceName, ip: string, family: IpFamily): KubernetesObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    metadata: { name: ip, labels: { [FAMILY_LABEL]: family, [MANAGED_BY_LABEL]: IP_ALLOCATOR } },
    spec: { parentRef: { resource: 'services', namespace, name } },
  };
}

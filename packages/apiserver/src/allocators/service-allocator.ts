import type { Random } from '@binnacle/apimachinery/clock';
import type { Service, ServiceSpec } from '@binnacle/api/types/core-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { invalid } from '@binnacle/apimachinery/status';
import type { KV } from '@binnacle/kv';
import { type OwnResource, serverScope } from '../bootstrap/index.js';
import type { KindCodec, StorageMediaType } from '../codec/index.js';
import { type Allocator, type Claim, ENDPOINTS, SERVICES, type Stores } from '../registry/index.js';
import type { AllocationObserver, AllocationUsage } from './allocation-observer.js';
import { ClusterIps, type ServiceName } from './cluster-ips.js';
import { type ClusterFamilies, resolveIpFamilies } from './ip-families.js';
import { parseIpRanges } from './ip-range.js';
import { alignClusterIps, keepClaimedValues } from './linked-fields.js';
import { NodePorts } from './node-ports.js';
import { parsePortRange } from './port-bitmap.js';
import type { PortChooser } from './port-chooser.js';
import { ServiceRepair } from './repair.js';
import { type AddressClaim, addressesHeldBy, changeAddresses, claimAddresses } from './service-addresses.js';
import { applyPlan, needsPorts, planForCreate, planForUpdate, type PortPlan, portsHeldBy } from './service-ports.js';

export interface ServiceAllocatorOptions {
  /** `10.0.0.0/24`, or one range of each family joined by a comma. */
  readonly clusterIpRanges: string;
  /** `30000-32767` */
  readonly nodePortRange: string;
  readonly kv: KV;
  /** The prefix of every key: `/registry/`. */
  readonly storagePrefix: string;
  /** The encoding in which allocations are stored. */
  readonly storageMediaType: StorageMediaType;
  /** Codec of `v1 RangeAllocation`. */
  readonly rangeAllocationCodec: KindCodec;
  /** Services, service CIDRs, addresses, and the endpoints that the allocator deletes with their service. */
  readonly stores: Stores;
  /** Creates IPAddress objects. Undefined while the kind is not served. */
  readonly ipAddresses: () => OwnResource | undefined;
  /** Chooses addresses and ports. */
  readonly random: Random;
  readonly observer: AllocationObserver;
}

export interface ServiceAllocator extends Allocator {
  /**
   * Frees claims that a crash has leaked, and claims values that services use without a claim. It frees only claims
   * that the previous call also found unused. The interval between calls must therefore exceed the duration of a write:
   * use minutes.
   */
  repair(): Promise<void>;
  /** Frees the address of a service that is about to be created if only the claim of an interrupted write holds it. */
  releaseLeaked(service: ServiceName, ip: string): Promise<void>;
  readonly usage: AllocationUsage;
}

/** Allocates cluster IPs and node ports. Throws RangeError when a range cannot be parsed. */
export function serviceAllocator(options: ServiceAllocatorOptions): ServiceAllocator {
  const configured = parseIpRanges(options.clusterIpRanges);
  const range = parsePortRange(options.nodePortRange);
  const { kv, storagePrefix, storageMediaType, rangeAllocationCodec: codec, random } = options;
  const { stores, ipAddresses, observer } = options;
  const services = stores.reader(SERVICES);
  const storedServices = async () => {
    await services.ready();
    return [...services.copiesCached('')];
  };
  const ips = new ClusterIps({ configured, stores, ipAddresses, random, observer });
  const usedPorts = async () => (await storedServices()).flatMap(({ spec = {} }) => portsHeldBy(spec));
  const ports = new NodePorts({ kv, storagePrefix, storageMediaType, codec, range, usedPorts, random, observer });
  const repair = new ServiceRepair({ ips, ports, storedServices });
  const cluster: ClusterFamilies = {
    primary: configured[0].family,
    all: new Set(configured.map(({ family }) => family)),
  };
  const claims = new ServiceClaims(ips, ports, cluster);
  return {
    claimForCreate: (object, scope) => claims.take(object, undefined, scope.dryRun),
    claimForUpdate: (object, old, scope) => claims.take(object, old, scope.dryRun),
    release: async (object) => {
      await releaseEndpoints(stores, nameOf(object));
      await claims.release(object);
    },
    repair: () => repair.run(),
    releaseLeaked: (service, ip) => repair.releaseLeaked(service, ip),
    get usage() {
      return { addresses: ips.usage, ports: ports.usage };
    },
  };
}

class ServiceClaims {
  readonly #ips: ClusterIps;
  readonly #ports: NodePorts;
  readonly #cluster: ClusterFamilies;

  constructor(ips: ClusterIps, ports: NodePorts, cluster: ClusterFamilies) {
    this.#ips = ips;
    this.#ports = ports;
    this.#cluster = cluster;
  }

  /** Completes the linked fields, claims the missing addresses and ports, and fills them in. */
  async take(
    object: KubernetesObject,
    oldObject: Readonly<KubernetesObject> | undefined,
    dryRun: boolean,
  ): Promise<Claim> {
    const service = nameOf(object);
    const spec = specOf(object);
    const old = oldObject === undefined ? undefined : ((oldObject as Readonly<Service>).spec ?? {});
    if (old !== undefined) keepClaimedValues(spec, old);
    alignClusterIps(spec, old);
    const errors = resolveIpFamilies(spec, old, this.#cluster);
    if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, service.name, errors);

    const addresses =
      old === undefined
        ? await claimAddresses(this.#ips, service, spec, dryRun)
        : await changeAddresses(this.#ips, service, spec, old, dryRun);
    try {
      const claimedPorts = await this.#takePorts(service, spec, old, dryRun);
      return this.#claim(service, addresses, claimedPorts, dryRun);
    } catch (error) {
      await this.#releaseAddresses(service, addresses.claimed);
      throw error;
    }
  }

  /** Releases every address and port that a stored service holds. Never throws. */
  async release(object: Readonly<KubernetesObject>): Promise<void> {
    const spec = (object as Readonly<Service>).spec ?? {};
    await this.#releaseAddresses(nameOf(object), addressesHeldBy(spec));
    await this.#releasePorts(portsHeldBy(spec));
  }

  async #takePorts(
    service: ServiceName,
    spec: ServiceSpec,
    old: Readonly<ServiceSpec> | undefined,
    dryRun: boolean,
  ): Promise<ClaimedPorts> {
    if (!needsPorts(spec, old)) return { taken: [], released: [] };
    const choose = (chooser: PortChooser): PortPlan =>
      old === undefined ? planForCreate(service.name, spec, chooser) : planForUpdate(service.name, spec, old, chooser);
    if (dryRun) {
      applyPlan(spec, await this.#ports.preview(choose));
      return { taken: [], released: [] };
    }
    const { result: plan, ports: taken } = await this.#ports.claim(choose);
    applyPlan(spec, plan);
    return { taken, released: plan.released };
  }

  #claim(service: ServiceName, addresses: AddressClaim, ports: ClaimedPorts, dryRun: boolean): Claim {
    const giveBack = async (ips: readonly string[], numbers: readonly number[]) => {
      if (dryRun) return;
      await this.#releaseAddresses(service, ips);
      await this.#releasePorts(numbers);
    };
    return {
      commit: () => giveBack(addresses.released, ports.released),
      rollback: () => giveBack(addresses.claimed, ports.taken),
    };
  }

  async #releaseAddresses(service: ServiceName, ips: readonly string[]): Promise<void> {
    for (const ip of ips) await this.#ips.release(service, ip);
  }

  async #releasePorts(ports: readonly number[]): Promise<void> {
    // The service is already written or deleted. The repair frees a port that cannot be released here.
    await this.#ports.release(ports).catch(() => undefined);
  }
}

interface ClaimedPorts {
  readonly taken: readonly number[];
  readonly released: readonly number[];
}

/** Most services have no Endpoints object, and an orphaned one does no harm, so failures are ignored. */
async function releaseEndpoints(stores: Stores, { namespace, name }: ServiceName): Promise<void> {
  await stores
    .find(ENDPOINTS)
    ?.delete(serverScope(namespace), name, {})
    .catch(() => undefined);
}

function nameOf({ metadata }: Readonly<KubernetesObject>): ServiceName {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}

function specOf(object: KubernetesObject): ServiceSpec {
  const service = object as Service;
  service.spec ??= {};
  return service.spec;
}

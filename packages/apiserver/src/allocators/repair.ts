import type { Service } from '@binnacle/api/types/core-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { type ClusterIps, parentOf, type ServiceName } from './cluster-ips.js';
import { canonicalIp } from './ip-range.js';
import type { NodePorts } from './node-ports.js';
import { addressesHeldBy } from './service-addresses.js';
import { portsHeldBy } from './service-ports.js';

export interface ServiceRepairOptions {
  readonly ips: ClusterIps;
  readonly ports: NodePorts;
  readonly storedServices: () => Promise<readonly Service[]>;
}

/**
 * Compares claims with the stored services. A claim without a service may belong to a write in progress, so the first
 * run only records it. The next run frees it if it is still unused.
 * Upstream: kubernetes `pkg/registry/core/service/{ipallocator,portallocator}/controller`.
 */
export class ServiceRepair {
  readonly #options: ServiceRepairOptions;
  #suspectIps: ReadonlySet<string> = new Set();
  #suspectPorts: ReadonlySet<number> = new Set();

  constructor(options: ServiceRepairOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    // Claims must be read before services, otherwise a service stored in between would lose its claim.
    const claimed = await this.#options.ips.claimed();
    await this.#repairIps(claimed, await this.#options.storedServices());
    await this.#repairPorts();
  }

  /** Frees the address of a service that is about to be created if only a leaked claim holds it. */
  async releaseLeaked(service: ServiceName, ip: string): Promise<void> {
    const { ips, storedServices } = this.#options;
    const isHeld = (await storedServices()).some(({ spec = {} }) =>
      addressesHeldBy(spec).map(canonicalIp).includes(ip),
    );
    if (!isHeld) await ips.removeLeaked(service, ip);
  }

  async #repairIps(claimed: readonly Readonly<KubernetesObject>[], services: readonly Service[]): Promise<void> {
    const { ips } = this.#options;
    const claims = new Map(claimed.map((object) => [object.metadata.name ?? '', object]));
    const owners = new Map<string, { namespace: string; name: string }>();
    for (const { metadata, spec = {} } of services) {
      const owner = { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
      for (const ip of addressesHeldBy(spec)) owners.set(canonicalIp(ip), owner);
    }
    for (const [ip, owner] of owners) if (!claims.has(ip)) await ips.claim(owner, ip);

    const suspects = new Set<string>();
    for (const [ip, object] of claims) {
      const owner = owners.get(ip);
      const parent = parentOf(object);
      if (owner?.namespace === parent.namespace && owner.name === parent.name) continue;
      const uid = object.metadata.uid ?? ip;
      if (this.#suspectIps.has(uid)) await ips.remove(object);
      else suspects.add(uid);
    }
    this.#suspectIps = suspects;
  }

  async #repairPorts(): Promise<void> {
    const { ports, storedServices } = this.#options;
    const used = new Set((await storedServices()).flatMap(({ spec = {} }) => portsHeldBy(spec)));
    let suspects = new Set<number>();
    await ports.change((bitmap) => {
      suspects = new Set();
      for (const port of used) bitmap.add(port);
      for (const port of bitmap.taken()) {
        if (used.has(port)) continue;
        if (this.#suspectPorts.has(port)) bitmap.remove(port);
        else suspects.add(port);
      }
    });
    this.#suspectPorts = suspects;
  }
}

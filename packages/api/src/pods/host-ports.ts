interface PortContainer {
  readonly restartPolicy?: string | undefined;
  readonly ports?:
    | readonly {
        readonly hostPort?: number | undefined;
        readonly hostIP?: string | undefined;
        readonly protocol?: string | undefined;
      }[]
    | undefined;
}

interface PortSpec {
  readonly containers?: readonly PortContainer[] | undefined;
  readonly initContainers?: readonly PortContainer[] | undefined;
}

export interface HostPort {
  readonly address: string;
  readonly protocol: string;
  readonly port: number;
}

const ANY = '0.0.0.0';

/** The ports of the node that a pod takes: those of containers and sidecars. */
export function hostPortsOf({ containers = [], initContainers = [] }: PortSpec): HostPort[] {
  const running = [...containers, ...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')];
  return running.flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, hostIP = '', protocol = 'TCP' }) =>
      hostPort <= 0 ? [] : [{ address: hostIP === '' ? ANY : hostIP, protocol, port: hostPort }],
    ),
  );
}

/** The ports that pods take of one node. Looks each port up in a map, because a pod can have thousands. Upstream: `HostPortInfo`. */
export class TakenPorts {
  /** How many pods have each address of a port. */
  readonly #addresses = new Map<string, Map<string, number>>();

  add(ports: readonly HostPort[]): void {
    for (const port of ports) this.#count(port, 1);
  }

  /** Frees ports that were added. */
  remove(ports: readonly HostPort[]): void {
    for (const port of ports) this.#count(port, -1);
  }

  /** Whether one of the ports is taken on its address or on all addresses. A port on all addresses conflicts with any. */
  hasOneOf(ports: readonly HostPort[]): boolean {
    return ports.some((port) => {
      const addresses = this.#addresses.get(keyOf(port));
      return addresses !== undefined && (port.address === ANY || addresses.has(port.address) || addresses.has(ANY));
    });
  }

  #count(port: HostPort, change: 1 | -1): void {
    const key = keyOf(port);
    const addresses = this.#addresses.get(key) ?? new Map<string, number>();
    const count = (addresses.get(port.address) ?? 0) + change;
    if (count > 0) addresses.set(port.address, count);
    else addresses.delete(port.address);
    if (addresses.size > 0) this.#addresses.set(key, addresses);
    else this.#addresses.delete(key);
  }
}

function keyOf({ protocol, port }: HostPort): string {
  return `${protocol}/${port}`;
}

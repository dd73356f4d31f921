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

/** Whether both cannot be taken on one node. Upstream: `HostPortInfo.CheckConflict`. */
export function portsConflict(one: HostPort, other: HostPort): boolean {
  if (one.port !== other.port || one.protocol !== other.protocol) return false;
  return one.address === other.address || one.address === ANY || other.address === ANY;
}

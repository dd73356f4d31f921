/** The most nodes that run processes. */
export const MOST_PROCESS_NODES = 8;

const RANGE = /^10\.250\.(\d{1,3}\.\d{1,3})$/;

/**
 * The addresses of pods that run as processes: 10.250.N.0/24 for node number N. Kubernetes takes no loopback address for a pod, so each
 * of these maps to one.
 */
export const processRange = (index: number): string => `10.250.${index}.0/24`;

/**
 * Where the processes of a pod listen: 127.250.N.X for 10.250.N.X on Linux. Other systems have no such loopback addresses, and all
 * pods share 127.0.0.1. Undefined: it is the address of no such pod.
 */
export function localPodAddress(address: string, platform: NodeJS.Platform = process.platform): string | undefined {
  const [, rest] = RANGE.exec(address) ?? [];
  if (rest === undefined) return undefined;
  return platform === 'linux' ? `127.250.${rest}` : '127.0.0.1';
}

/** The loopback address of a process node, on Linux. */
export const localNodeAddress = (index: number): string => `127.250.${index}.1`;

/** Whether both loopback addresses are of one process node. */
export const areOfOneNode = (one: string, other: string): boolean => nodePart(one) === nodePart(other);

/** Whether a loopback address is of a process node: of a pod on it, or of the node itself. */
export const isOfProcessNode = (address: string): boolean => address.startsWith('127.250.');

const nodePart = (address: string): string => address.slice(0, address.lastIndexOf('.'));

/** Ports that only some users may listen on. */
const PRIVILEGED = 1024;
const MOVED_BY = 30_000;

/**
 * Where a port of a service answers on this machine: at 127.251.C.D for the cluster IP A.B.C.D, on Linux. A user who may not listen on a
 * port below 1024 has it 30000 higher. Undefined: it answers nowhere.
 */
export function localServicePlace(
  clusterIP: string,
  port: number,
  { platform, uid }: { readonly platform: NodeJS.Platform; readonly uid: number | undefined } = {
    platform: process.platform,
    uid: process.getuid?.(),
  },
): { readonly host: string; readonly port: number } | undefined {
  const [, rest] = /^\d{1,3}\.\d{1,3}\.(\d{1,3}\.\d{1,3})$/.exec(clusterIP) ?? [];
  if (rest === undefined || platform !== 'linux') return undefined;
  return { host: `127.251.${rest}`, port: port < PRIVILEGED && uid !== 0 ? port + MOVED_BY : port };
}

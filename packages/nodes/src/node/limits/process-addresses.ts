/** The most nodes that run processes. */
export const MOST_PROCESS_NODES = 8;

const RANGE = /^10\.250\.(\d{1,3}\.\d{1,3})$/;

/**
 * The addresses of pods that run as processes: 10.250.N.0/24 for node number N. Kubernetes takes no loopback address for a pod, so each
 * of these stands for one.
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

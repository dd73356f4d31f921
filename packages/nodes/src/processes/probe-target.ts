import type { Container, Probe } from '@binnacle/client/kinds/core/v1';

/** What a probe does. */
export type ProbeTarget =
  | { readonly kind: 'exec'; readonly command: readonly string[] }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'grpc'; readonly host: string; readonly port: number; readonly service: string }
  | HttpTarget
  | NoTarget;

export interface HttpTarget {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
}

export interface NoTarget {
  readonly kind: 'unsupported';
  readonly message: string;
}

/** Where a probe goes in a pod with this address. */
export function probeTarget(
  { exec, httpGet, tcpSocket, grpc }: Probe,
  container: Pick<Container, 'ports'>,
  address: string,
): ProbeTarget {
  if (exec !== undefined) return { kind: 'exec', command: exec.command ?? [] };
  if (grpc !== undefined) return { kind: 'grpc', host: address, port: grpc.port, service: grpc.service ?? '' };
  if (tcpSocket !== undefined) {
    const port = portOf(tcpSocket.port, container);
    if (port === undefined) return noPort(tcpSocket.port);
    return { kind: 'tcp', host: tcpSocket.host ?? address, port };
  }
  if (httpGet === undefined) return { kind: 'unsupported', message: 'the probe has no action' };
  return httpTarget(httpGet, container, address);
}

/** Where a request of a probe or a hook goes. */
export function httpTarget(
  action: NonNullable<Probe['httpGet']>,
  container: Pick<Container, 'ports'>,
  address: string,
): HttpTarget | NoTarget {
  const { host = address, path = '/', scheme = 'HTTP', httpHeaders = [] } = action;
  const port = portOf(action.port, container);
  if (port === undefined) return noPort(action.port);
  const name = host.includes(':') ? `[${host}]` : host;
  const url = `${scheme.toLowerCase()}://${name}:${port}${path.startsWith('/') ? path : `/${path}`}`;
  return { kind: 'http', url, headers: httpHeaders.map((each) => [each.name, each.value]) };
}

const noPort = (port: string | number): NoTarget => ({
  kind: 'unsupported',
  message: `couldn't find port: ${JSON.stringify(port)}`,
});

/** The number of a port, which may be the name of one of the container's. */
export function portOf(port: string | number, { ports = [] }: Pick<Container, 'ports'>): number | undefined {
  if (typeof port === 'number') return port;
  const named = ports.find(({ name }) => name === port)?.containerPort;
  return named ?? (/^\d{1,5}$/.test(port) ? Number(port) : undefined);
}

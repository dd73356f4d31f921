import type { Container, Probe } from '@binnacle/client/kinds/core/v1';

/** What a probe does. */
export type ProbeTarget =
  | { readonly kind: 'exec'; readonly command: readonly string[] }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'http'; readonly url: string; readonly headers: readonly (readonly [string, string])[] }
  | { readonly kind: 'unsupported'; readonly message: string };

/** Where a probe goes in a pod with this address. */
export function probeTarget(
  { exec, httpGet, tcpSocket, grpc }: Probe,
  container: Pick<Container, 'ports'>,
  address: string,
): ProbeTarget {
  if (exec !== undefined) return { kind: 'exec', command: exec.command ?? [] };
  if (grpc !== undefined) return { kind: 'unsupported', message: 'process nodes run no gRPC probes' };
  if (tcpSocket !== undefined) {
    const port = portOf(tcpSocket.port, container);
    if (port === undefined) return noPort(tcpSocket.port);
    return { kind: 'tcp', host: tcpSocket.host ?? address, port };
  }
  if (httpGet === undefined) return { kind: 'unsupported', message: 'the probe has no action' };
  const { host = address, path = '/', scheme = 'HTTP', httpHeaders = [] } = httpGet;
  const port = portOf(httpGet.port, container);
  if (port === undefined) return noPort(httpGet.port);
  const name = host.includes(':') ? `[${host}]` : host;
  const url = `${scheme.toLowerCase()}://${name}:${port}${path.startsWith('/') ? path : `/${path}`}`;
  return { kind: 'http', url, headers: httpHeaders.map((each) => [each.name, each.value]) };
}

const noPort = (port: string | number): ProbeTarget => ({
  kind: 'unsupported',
  message: `couldn't find port: ${JSON.stringify(port)}`,
});

/** The number of a port, which may be the name of one of the container's. */
export function portOf(port: string | number, { ports = [] }: Pick<Container, 'ports'>): number | undefined {
  if (typeof port === 'number') return port;
  const named = ports.find(({ name }) => name === port)?.containerPort;
  return named ?? (/^\d{1,5}$/.test(port) ? Number(port) : undefined);
}

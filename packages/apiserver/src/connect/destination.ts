import { encodePath } from '../proxying/index.js';

/** Which certificates a connection trusts, and whether it shows the server's client certificate for kubelets. */
export type Trust = 'kubelet' | 'unverified kubelet' | 'anyone';

/** A pod whose ports only the kubelet of its node reaches. */
export interface ForwardedPod {
  readonly namespace: string;
  readonly name: string;
  readonly kubelet: Pick<Destination, 'scheme' | 'host' | 'port'>;
}

/** Where a request goes. */
export interface Destination {
  readonly scheme: 'http' | 'https';
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Decoded; '' or with a slash at its start. */
  readonly path: string;
  /** Percent-encoded, without the question mark. */
  readonly query: string;
  readonly trust: Trust;
  /** The kubelet of this pod forwards the connection. Default: none does; the host is on the network. */
  readonly forwarded?: ForwardedPod | undefined;
}

/** `host:port`. */
export function authorityOf({ host, port }: Pick<Destination, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}

/** Path and query for the request line. */
export function targetOf({ path, query }: Destination): string {
  const encoded = path === '' ? '/' : encodePath(path);
  return query === '' ? encoded : `${encoded}?${query}`;
}

/** The whole URL, for errors. */
export function urlOf(destination: Destination): string {
  return `${destination.scheme}://${authorityOf(destination)}${targetOf(destination)}`;
}

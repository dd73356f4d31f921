/** A name of the cluster's DNS, in parts. */
export interface ServiceName {
  readonly service: string;
  readonly namespace: string;
  /** The hostname of a pod behind a headless service. */
  readonly host: string | undefined;
}

const DOMAIN = '.svc.cluster.local';

/**
 * The parts of a name as a pod of a namespace asks for it: `web`, `web.shop`, `web.shop.svc`, or a full name, with the hostname of a pod
 * before it or not. Undefined: it is not the name of a service.
 */
export function serviceNameOf(name: string, namespace: string): ServiceName | undefined {
  const short = name
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/(\.svc)?\.cluster\.local$/, '.svc')
    .replace(/\.svc$/, '');
  const parts = short.split('.');
  if (parts.length > 3 || !parts.every((part) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(part))) return undefined;
  const [first = '', second, third] = parts;
  if (third !== undefined) return { host: first, service: second ?? '', namespace: third };
  return { service: first, namespace: second ?? namespace, host: undefined };
}

export function fullNameOf({ host, service, namespace }: ServiceName): string {
  return `${host === undefined ? '' : `${host}.`}${service}.${namespace}${DOMAIN}`;
}

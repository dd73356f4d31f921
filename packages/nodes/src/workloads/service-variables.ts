import type { Service } from '@binnacle/client/kinds/core/v1';

/** Where a service answers on this machine. */
export interface LocalAddress {
  readonly host: string;
  readonly port: number;
}

/** The variables by which processes find services: their TCP ports, which alone answer. Upstream: kubelet `envvars.FromServices`. */
export function serviceVariables(
  services: readonly Service[],
  addressOf: (service: Service, port: number) => LocalAddress | undefined,
): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const service of services) {
    const ports = (service.spec?.ports ?? []).filter(({ protocol = 'TCP' }) => protocol === 'TCP');
    const name = variableName(service.metadata.name ?? '');
    ports.forEach(({ port, name: portName = '' }, index) => {
      const address = addressOf(service, port);
      if (address === undefined) return;
      const { host } = address;
      const number = String(address.port);
      if (index === 0) {
        variables.set(`${name}_SERVICE_HOST`, host);
        variables.set(`${name}_SERVICE_PORT`, number);
        variables.set(`${name}_PORT`, `tcp://${host}:${number}`);
      }
      if (portName !== '') variables.set(`${name}_SERVICE_PORT_${variableName(portName)}`, number);
      const prefix = `${name}_PORT_${port}_TCP`;
      variables.set(prefix, `tcp://${host}:${number}`);
      variables.set(`${prefix}_PROTO`, 'tcp');
      variables.set(`${prefix}_PORT`, number);
      variables.set(`${prefix}_ADDR`, host);
    });
  }
  return variables;
}

const variableName = (name: string): string => name.toUpperCase().replaceAll('-', '_');

import type { Service } from '@binnacle/client/kinds/core/v1';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';

/**
 * The ready endpoints of a service as `ADDRESS:PORT`, in order, without repetition. `port`: one of the service's, by name or
 * number; undefined for all. Throws if the service has no such port.
 */
export function readyEndpoints({ metadata, spec }: Service, slices: readonly EndpointSlice[], port?: string): string[] {
  const { name = '' } = metadata;
  if (spec?.type === 'ExternalName')
    throw new Error(`service ${name} has no endpoints: it is ${spec.externalName ?? ''}`);
  const ports = spec?.ports ?? [];
  const wanted = ports.filter((each) => port === undefined || each.name === port || String(each.port) === port);
  if (port !== undefined && wanted.length === 0) throw new Error(`service ${name} has no port ${port}`);
  const names = new Set(wanted.map((each) => each.name ?? ''));
  const found = slices.flatMap((slice) => {
    const numbers = (slice.ports ?? []).filter((each) => names.has(each.name ?? '')).flatMap((each) => each.port ?? []);
    return (slice.endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap(({ addresses }) => addresses.flatMap((address) => numbers.map((number) => textOf(address, number))));
  });
  return [...new Set(found)].toSorted();
}

function textOf(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** A line for each endpoint, or a JSON list of them. */
export function textOfEndpoints(endpoints: readonly string[], output: 'json' | undefined): string {
  return `${output === 'json' ? JSON.stringify(endpoints) : endpoints.join('\n')}\n`;
}

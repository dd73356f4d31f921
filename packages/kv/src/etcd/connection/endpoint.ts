/** The address of a member in gRPC's form, and whether the connection uses TLS. */
export interface Endpoint {
  readonly address: string;
  readonly secure: boolean;
}

const pattern = /^(?:(https?):\/\/)?(\[[\da-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/;
const DEFAULT_PORT = '2379';

/** `secureByDefault`: whether an endpoint without a scheme uses TLS. Throws a `RangeError` for an invalid endpoint. */
export function parseEndpoint(text: string, secureByDefault: boolean): Endpoint {
  const [, scheme, host, port = DEFAULT_PORT] = pattern.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new RangeError(`${JSON.stringify(text)} is not an endpoint of etcd, which looks like https://host:2379`);
  }
  return { address: `dns:${host}:${port}`, secure: scheme === undefined ? secureByDefault : scheme === 'https' };
}

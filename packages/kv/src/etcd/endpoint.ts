/** Where a member listens, in the form that gRPC takes, and whether the connection is encrypted. */
export interface Endpoint {
  readonly address: string;
  readonly secure: boolean;
}

const pattern = /^(?:(https?):\/\/)?(\[[\da-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/;
const DEFAULT_PORT = '2379';

/** `secureByDefault`: what an endpoint without a scheme is. Throws a `RangeError` for what is none. */
export function parseEndpoint(text: string, secureByDefault: boolean): Endpoint {
  const [, scheme, host, port = DEFAULT_PORT] = pattern.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new RangeError(`${JSON.stringify(text)} is not an endpoint of etcd, which looks like https://host:2379`);
  }
  return { address: `dns:${host}:${port}`, secure: scheme === undefined ? secureByDefault : scheme === 'https' };
}

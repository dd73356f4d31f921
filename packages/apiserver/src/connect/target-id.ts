import { badRequest, quoteGo } from '@binnacle/apimachinery/status';

/** What a proxy request addresses: `name`, `name:port` or `scheme:name:port`. */
export interface TargetId {
  /** '' = the backend's usual one. */
  readonly scheme: string;
  readonly name: string;
  /** A number or a name; '' = the first port. */
  readonly port: string;
}

const SCHEMES = ['', 'http', 'https'];

/** Parses the name in a proxy request. `kind` is for the error. Upstream: `SplitSchemeNamePort`. */
export function parseTargetId(id: string, kind: string): TargetId {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !SCHEMES.includes(scheme)) {
    throw badRequest(`invalid ${kind} request ${quoteGo(id)}`);
  }
  return { scheme, name, port };
}

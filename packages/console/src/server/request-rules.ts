/** The headers by which the origin of a request is judged; names in lower case, as node gives them. */
export interface OriginHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

/** The reason to refuse a request for any path; undefined: the request names this server. */
export function hostFault({ host }: OriginHeaders, authority: string): string | undefined {
  return host === authority ? undefined : `the console answers only at http://${authority}`;
}

/** The reason to refuse a request for data; undefined: a page of this origin sent it. */
export function originFault(method: string, headers: OriginHeaders, authority: string): string | undefined {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== `http://${authority}`) return 'the request comes from another origin';
  if (site !== undefined && site !== 'same-origin') return 'the request comes from another site';
  if (method !== 'GET' && origin === undefined) return 'a write needs an Origin header';
  return undefined;
}

/** A server that was started with fault injection serves its rules here, to administrators. */
const FAULTS = /^\/debug\/faults(\/[0-9]+)?$/;
const LOG_PARAMETERS: readonly string[] = ['container', 'follow', 'limitBytes', 'tailLines'];
const HISTORY = '/binnacle/v1/history';
const PLAIN_PATHS: readonly string[] = ['/version', '/metrics'];
/** Parameters that turn a read into a stream without end. */
const ENDLESS: readonly string[] = ['watch', 'follow'];
const WRITE_PARAMETERS: readonly string[] = ['dryRun', 'fieldValidation'];

/** Whether a request may be forwarded: the reason to refuse it, or undefined. `target` is a path with an optional query. */
export function forwardFault(method: string, target: string): string | undefined {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const parameters = [...new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)).keys()];
  const faults = FAULTS.exec(path);
  if (faults !== null && parameters.length === 0) return faultsFault(method, faults[1] !== undefined);
  if (method === 'GET' && isLog(path)) {
    const other = parameters.find((name) => !LOG_PARAMETERS.includes(name));
    return other && `the console does not forward the parameter ${other} of a log`;
  }
  if (method === 'GET') {
    const endless = parameters.find((name) => ENDLESS.includes(name));
    if (endless !== undefined) return `the console does not forward the parameter ${endless}`;
    if (PLAIN_PATHS.includes(path)) return undefined;
    const place = placeOf(path.startsWith(`${HISTORY}/`) ? path.slice(HISTORY.length) : path);
    return place === undefined ? 'the console forwards only reads of objects and lists' : undefined;
  }
  if (method !== 'PUT') return `the console does not forward ${method}`;
  const other = parameters.find((name) => !WRITE_PARAMETERS.includes(name));
  if (other !== undefined) return `the console does not forward the parameter ${other} of a write`;
  return placeOf(path)?.name === undefined ? 'the console writes only whole objects' : undefined;
}

/** Rules are listed and added together, and removed together or one by one. */
function faultsFault(method: string, isOne: boolean): string | undefined {
  const allowed = isOne ? ['GET', 'DELETE'] : ['GET', 'POST', 'DELETE'];
  return allowed.includes(method) ? undefined : `the console does not forward ${method}`;
}

/** Whether this is the log of a pod. */
function isLog(path: string): boolean {
  const [root, ...segments] = path.split('/').map(decoded);
  const [api, version, namespaces, namespace, pods, name, log, ...rest] = segments;
  const isSound = root === undefined && namespace !== undefined && name !== undefined && rest.length === 0;
  return isSound && [api, version, namespaces, pods, log].join('/') === 'api/v1/namespaces/pods/log';
}

interface Place {
  readonly resource: string;
  readonly name: string | undefined;
}

/** The legacy paths of watches and of proxies begin with these. */
const LEGACY: readonly string[] = ['watch', 'proxy'];
/** Subresources of a namespace, whose paths look like those of collections in it. */
const NAMESPACE_SUBRESOURCES: readonly string[] = ['status', 'finalize'];

/** A collection or an object; undefined for all other paths, and for subresources. The server decides by decoded names too. */
function placeOf(path: string): Place | undefined {
  const segments = path.startsWith('/') ? path.slice(1).split('/').map(decoded) : [];
  if (!segments.every((segment) => segment !== undefined)) return undefined;
  const below = segments[0] === 'api' ? segments.slice(2) : segments[0] === 'apis' ? segments.slice(3) : [];
  const inNamespace = below[0] === 'namespaces' && below.length > 2;
  const [resource, name, ...rest] = inNamespace ? below.slice(2) : below;
  if (resource === undefined || rest.length > 0 || LEGACY.includes(below[0] ?? '')) return undefined;
  return inNamespace && NAMESPACE_SUBRESOURCES.includes(resource) ? undefined : { resource, name };
}

/** A name that is one segment before and after decoding; undefined for all others. */
function decoded(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    // eslint-disable-next-line no-control-regex
    const isPlain = text !== '' && text !== '.' && text !== '..' && !/[/\\%?#\u0000-\u001f]/.test(text);
    return isPlain ? text : undefined;
  } catch {
    return undefined;
  }
}

import { FieldSelectorError, parseFieldSelector } from '@binnacle/apimachinery/fields';
import { LabelSelectorError, parseLabelSelector } from '@binnacle/apimachinery/labels';
import { internalError, StatusError } from '@binnacle/apimachinery/status';
import { integerParameter, parseBoolean } from './query-values.js';
import { HISTORY_PATH, type RequestInfo } from './request-info.js';

const verbOfMethod: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** Subresources of a namespace; any other segment after its name is a resource inside it. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

/**
 * Parses the subject of a request. `path` is percent-decoded. An empty segment, from `//`, is an empty resource or
 * name, and no handler matches it. Throws 500 for a bare `/watch` or `/proxy`, as upstream does. Upstream: apiserver
 * `pkg/endpoints/request/requestinfo.go`.
 */
export function parseRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  if (!path.startsWith(`${HISTORY_PATH}/`)) return parseResource(method, path, query);
  // Who may read the objects may read their history.
  const info = parseResource('GET', path.slice(HISTORY_PATH.length), new URLSearchParams());
  return info.isResourceRequest ? { ...info, path, isHistory: true } : nonResource(method, path, '', '');
}

function parseResource(method: string, path: string, query: URLSearchParams): RequestInfo {
  const segments = splitPath(path);
  const apiPrefix = segments[0] ?? '';
  if (segments.length < 3 || (apiPrefix !== 'api' && apiPrefix !== 'apis')) return nonResource(method, path, '', '');
  if (apiPrefix === 'apis' && segments.length < 4) return nonResource(method, path, apiPrefix, '');

  const group = apiPrefix === 'apis' ? (segments[1] ?? '') : '';
  const start = apiPrefix === 'apis' ? 2 : 1;
  const version = segments[start] ?? '';
  let parts = segments.slice(start + 1);
  let verb = verbOfMethod.get(method) ?? '';
  if (parts[0] === 'watch' || parts[0] === 'proxy') {
    if (parts.length < 2) {
      throw internalError(`failed to create RequestInfo: unable to determine kind and namespace from url, ${path}`);
    }
    verb = parts[0];
    parts = parts.slice(1);
  }

  let namespace = '';
  let isWithinNamespace = false;
  if (parts[0] === 'namespaces' && parts.length > 1) {
    namespace = parts[1] ?? '';
    isWithinNamespace = parts.length > 2 && !namespaceSubresources.has(parts[2] ?? '');
    if (isWithinNamespace) parts = parts.slice(2);
  }

  const resource = parts[0] ?? '';
  let name = parts[1] ?? '';
  const subresource = verb === 'proxy' ? '' : (parts[2] ?? '');
  if (name === '' && verb === 'get') {
    verb = wantsWatch(query) ? 'watch' : 'list';
    name = selectedName(query);
  }
  if (name === '' && verb === 'delete') verb = 'deletecollection';
  return {
    isResourceRequest: true,
    path,
    verb,
    apiPrefix,
    group,
    version,
    namespace,
    isWithinNamespace,
    resource,
    subresource,
    name,
    parts,
    isHistory: false,
  };
}

/** The RequestInfo of a request that has not been parsed. */
export const noRequestInfo: RequestInfo = nonResource('', '', '', '');

function nonResource(method: string, path: string, apiPrefix: string, group: string): RequestInfo {
  return {
    isResourceRequest: false,
    path,
    verb: method.toLowerCase(),
    apiPrefix,
    group,
    version: '',
    namespace: '',
    isWithinNamespace: false,
    resource: '',
    subresource: '',
    name: '',
    parts: [],
    isHistory: false,
  };
}

function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return start === end ? [] : path.slice(start, end).split('/');
}

function wantsWatch(query: URLSearchParams): boolean {
  return parseBoolean(query, 'watch') ?? false;
}

/**
 * A list or watch of one name, by its field selector, is authorized as a request for that name. If the options are
 * invalid there is no name: authorization comes first, and the handler reports the error.
 */
function selectedName(query: URLSearchParams): string {
  const text = query.get('fieldSelector') ?? '';
  if (!text.includes('metadata.name')) return '';
  const name = requiredName(text, query.get('labelSelector') ?? '', query) ?? '';
  return name === '.' || name === '..' || name.includes('/') || name.includes('%') ? '' : name;
}

/** Reading a label selector of this many characters takes about one turn of the loop. */
const LONGEST_READ = 16 * 1024;

function requiredName(fieldSelector: string, labelSelector: string, query: URLSearchParams): string | undefined {
  try {
    integerParameter(query, 'timeoutSeconds');
    integerParameter(query, 'limit');
    // The handler reads a longer one in steps, and refuses the request if it is invalid.
    if (labelSelector.length <= LONGEST_READ) parseLabelSelector(labelSelector);
    return parseFieldSelector(fieldSelector).requiredValue('metadata.name');
  } catch (error) {
    const unreadable = [StatusError, LabelSelectorError, FieldSelectorError].some((type) => error instanceof type);
    if (unreadable) return undefined;
    throw error;
  }
}

import { type JsonValue, stringifyJson } from '@binnacle/apimachinery/json';
import type { LabelSelector } from '@binnacle/apimachinery/labels';
import type { TransportRequest } from '../transport/index.js';
import type {
  ServerSideApplyOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchOptions,
  PatchType,
  SelectOptions,
  WatchOptions,
  WriteOptions,
} from './options.js';
import { pathOf, type Target } from './target.js';

/** The body of a patch: JSON, or a text that is sent as it is. */
export interface Patch {
  readonly type: PatchType;
  readonly body: unknown;
}

const patchContentTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

const accept = { accept: 'application/json' };
const acceptMetadata = (kind: string) => ({
  accept: `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`,
});

export function getRequest(target: Target, options: GetOptions = {}): TransportRequest {
  const { metadataOnly, ...rest } = options;
  const headers = metadataOnly === true ? acceptMetadata('PartialObjectMetadata') : accept;
  return { method: 'GET', path: pathOf(target) + query(rest), headers };
}

export function listRequest(target: Target, options: ListOptions = {}): TransportRequest {
  const { metadataOnly, ...rest } = options;
  return {
    method: 'GET',
    path: pathOf(target) + query({ ...rest, ...selectors(options) }),
    headers: metadataOnly === true ? acceptMetadata('PartialObjectMetadataList') : accept,
  };
}

export function watchRequest(target: Target, options: WatchOptions = {}): TransportRequest {
  const { metadataOnly, ...rest } = options;
  const streamed = options.sendInitialEvents === true;
  const forStreams = streamed ? { allowWatchBookmarks: true, resourceVersionMatch: 'NotOlderThan' } : {};
  return {
    method: 'GET',
    path: pathOf(target) + query({ watch: true, ...rest, ...forStreams, ...selectors(options) }),
    headers: metadataOnly === true ? acceptMetadata('PartialObjectMetadata') : accept,
  };
}

/** Creates an object in a collection, or by a subresource of one: an eviction, a binding, a token. */
export function createRequest(target: Target, object: unknown, options: WriteOptions = {}): TransportRequest {
  return withBody('POST', target, object, options);
}

export function updateRequest(target: Target, object: unknown, options: WriteOptions = {}): TransportRequest {
  return withBody('PUT', target, object, options);
}

export function patchRequest(target: Target, patch: Patch, options: PatchOptions = {}): TransportRequest {
  return withBody('PATCH', target, patch.body, options, patchContentTypes[patch.type]);
}

/** Server-side apply. */
export function applyRequest(target: Target, object: unknown, options: ServerSideApplyOptions): TransportRequest {
  return patchRequest(target, { type: 'apply', body: object }, options);
}

export function deleteRequest(target: Target, options: DeleteOptions = {}): TransportRequest {
  return deletion(pathOf(target), options);
}

/** Deletes what is selected; without a selector, everything. */
export function deleteCollectionRequest(
  target: Target,
  options: DeleteOptions = {},
  select: SelectOptions & Pick<GetOptions, 'resourceVersion'> = {},
): TransportRequest {
  return deletion(pathOf(target) + query({ ...select, ...selectors(select) }), options);
}

function deletion(path: string, { dryRun, ...options }: DeleteOptions): TransportRequest {
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', ...options, ...(dryRun === true ? { dryRun: ['All'] } : {}) };
  const headers = { ...accept, 'content-type': 'application/json' };
  return { method: 'DELETE', path, headers, body: encode(body) };
}

function withBody(
  method: string,
  target: Target,
  body: unknown,
  { dryRun, ...options }: WriteOptions,
  contentType = 'application/json',
): TransportRequest {
  return {
    method,
    path: pathOf(target) + query({ ...options, dryRun: dryRun === true ? 'All' : undefined }),
    headers: { ...accept, 'content-type': contentType },
    body: typeof body === 'string' ? body : encode(body),
  };
}

/** Objects of interfaces are JSON, but TypeScript cannot see that of interfaces. */
function encode(body: unknown): string {
  return stringifyJson(body as JsonValue);
}

function selectors({ labelSelector, fieldSelector }: SelectOptions): Record<string, string | undefined> {
  return { labelSelector: selectorText(labelSelector), fieldSelector };
}

function selectorText(selector: string | LabelSelector | undefined): string | undefined {
  if (typeof selector !== 'object') return selector;
  // Its text is empty, which means everything.
  if (!selector.selectable) throw new TypeError('a selector that selects nothing cannot be sent');
  return selector.toString();
}

function query(parameters: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    const sent = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (sent && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

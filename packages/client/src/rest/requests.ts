import type { LabelSelector } from '@binnacle/apimachinery/labels';
import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { TransportRequest } from '../transport/index.js';
import { type EncodedBody, type Encoding, jsonEncoding } from './encoding.js';
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

/** The body of a patch: a JSON value, or text that is sent unchanged. */
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

export function getRequest(target: Target, options: GetOptions = {}, encoding = jsonEncoding): TransportRequest {
  const { metadataOnly, ...rest } = options;
  const as = metadataOnly === true ? 'PartialObjectMetadata' : undefined;
  return { method: 'GET', path: pathOf(target) + query(rest), headers: accepting(encoding, as) };
}

export function listRequest(target: Target, options: ListOptions = {}, encoding = jsonEncoding): TransportRequest {
  const { metadataOnly, ...rest } = options;
  return {
    method: 'GET',
    path: pathOf(target) + query({ ...rest, ...selectors(options) }),
    headers: accepting(encoding, metadataOnly === true ? 'PartialObjectMetadataList' : undefined),
  };
}

export function watchRequest(target: Target, options: WatchOptions = {}, encoding = jsonEncoding): TransportRequest {
  const { metadataOnly, ...rest } = options;
  const streamed = options.sendInitialEvents === true;
  const forStreams = streamed ? { allowWatchBookmarks: true, resourceVersionMatch: 'NotOlderThan' } : {};
  return {
    method: 'GET',
    path: pathOf(target) + query({ watch: true, ...rest, ...forStreams, ...selectors(options) }),
    headers: accepting(encoding, metadataOnly === true ? 'PartialObjectMetadata' : undefined),
  };
}

/** Posts an object to a collection, or to a subresource such as `eviction`, `binding` or `token`. */
export function createRequest(
  target: Target,
  object: unknown,
  options: WriteOptions = {},
  encoding = jsonEncoding,
): TransportRequest {
  return withBody('POST', target, encodeBody(object, encoding), options, encoding);
}

export function updateRequest(
  target: Target,
  object: unknown,
  options: WriteOptions = {},
  encoding = jsonEncoding,
): TransportRequest {
  return withBody('PUT', target, encodeBody(object, encoding), options, encoding);
}

export function patchRequest(
  target: Target,
  { type, body }: Patch,
  options: PatchOptions = {},
  encoding = jsonEncoding,
): TransportRequest {
  const { body: sent } = encodeBody(body, jsonEncoding);
  return withBody('PATCH', target, { contentType: patchContentTypes[type], body: sent }, options, encoding);
}

/** Server-side apply. */
export function applyRequest(
  target: Target,
  object: unknown,
  options: ServerSideApplyOptions,
  encoding = jsonEncoding,
): TransportRequest {
  return patchRequest(target, { type: 'apply', body: object }, options, encoding);
}

export function deleteRequest(target: Target, options: DeleteOptions = {}, encoding = jsonEncoding): TransportRequest {
  return deletion(pathOf(target), options, encoding);
}

/** Deletes the selected objects; without a selector, the whole collection. */
export function deleteCollectionRequest(
  target: Target,
  { labelSelector, fieldSelector, ...options }: SelectOptions & DeleteOptions = {},
  encoding = jsonEncoding,
): TransportRequest {
  return deletion(pathOf(target) + query(selectors({ labelSelector, fieldSelector })), options, encoding);
}

function deletion(path: string, { dryRun, ...options }: DeleteOptions, encoding: Encoding): TransportRequest {
  const sent = { kind: 'DeleteOptions', apiVersion: 'v1', ...options, ...(dryRun === true ? { dryRun: ['All'] } : {}) };
  const { contentType, body } = encoding.encode(sent);
  return { method: 'DELETE', path, headers: { ...accepting(encoding), 'content-type': contentType }, body };
}

function withBody(
  method: string,
  target: Target,
  { contentType, body }: EncodedBody,
  { dryRun, ...options }: WriteOptions,
  encoding: Encoding,
): TransportRequest {
  return {
    method,
    path: pathOf(target) + query({ ...options, dryRun: dryRun === true ? 'All' : undefined }),
    headers: { ...accepting(encoding), 'content-type': contentType },
    body,
  };
}

/** Text is already JSON. */
function encodeBody(body: unknown, encoding: Encoding): EncodedBody {
  return typeof body === 'string' ? { contentType: JSON_MEDIA_TYPE, body } : encoding.encode(body);
}

/** `as` asks for the object as this kind. Plain JSON comes last, for servers that cannot convert. */
function accepting({ formats }: Encoding, as?: string): { accept: string } {
  const mediaTypes = formats.map(({ mediaType }) => mediaType);
  if (as === undefined) return { accept: mediaTypes.join(',') };
  const converted = mediaTypes.map((mediaType) => `${mediaType};as=${as};g=meta.k8s.io;v=v1`);
  return { accept: [...converted, JSON_MEDIA_TYPE].join(',') };
}

function selectors({ labelSelector, fieldSelector }: SelectOptions): Record<string, string | undefined> {
  return { labelSelector: selectorText(labelSelector), fieldSelector };
}

function selectorText(selector: string | LabelSelector | undefined): string | undefined {
  if (typeof selector !== 'object') return selector;
  // The text of such a selector is empty, which selects everything.
  if (!selector.selectable) throw new TypeError('a selector that matches no object cannot be sent');
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

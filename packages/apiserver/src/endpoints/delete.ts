import { schemaOf } from '@binnacle/api/table';
import { isObject, type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { asKind, asObject } from '@binnacle/apimachinery/meta';
import { DecodeError, decodeTypedInSteps } from '@binnacle/apimachinery/serializer';
import { badRequest, type Status, StatusError } from '@binnacle/apimachinery/status';
import { forEachConcurrently } from '@binnacle/apimachinery/work';
import { negotiateRepresentation, respondWithStatus } from '../answers/index.js';
import type { DeleteOptions as RegistryDeleteOptions } from '../registry/index.js';
import {
  checkListOptions,
  decodeListOptions,
  type DeleteOptions,
  type DeleteOptionsBody,
  deleteOptionsDocument,
  deleteOptionsFrom,
  demandOfList,
  refuseUnsafe,
  type RequestContext,
} from '../request/index.js';
import { inSlices } from '../slices/index.js';
import type { StoredObject } from '../storage/index.js';
import { decodeDocument, type Document } from './body/document.js';
import { readBody } from './body/read-body.js';
import { interpret } from './body/given-kind.js';
import { deleteUnreadableObject } from './delete-unreadable.js';
import type { ObjectRequest, ResourceEndpoint } from './endpoint.js';
import { respondList, respondObject } from './representation.js';
import { listRequestOf, selectionOf } from './selection.js';
import { admissionRun, writeScope } from './write-request.js';

/** Upstream: apiserver `deleteCollectionPageSize`. */
const PAGE_SIZE = 10_000;
/**
 * Concurrent deletes of a deletecollection: enough for the store to commit them together. One, like upstream by default, if
 * a webhook or a policy may see the objects: it sees them in the order of the list, and nothing after a refusal.
 */
const DELETES_AT_ONCE = 32;

/** Audit events show the options in this version, like upstream. */
const INTERNAL_VERSION = 'meta.k8s.io/__internal';

const deleteOptionsKind = { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' };
const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/** DELETE of one object. */
export async function deleteObject(request: ObjectRequest): Promise<void> {
  const { context, endpoint, view } = request;
  const representation = negotiateRepresentation(context, view.codec);
  const options = await readDeleteOptions(context);
  if (options.ignoreStoreReadError === true) return deleteUnreadableObject(request, options);
  warnOfUnnamedPropagation(context, endpoint, options);
  context.trace?.ended('Decoded delete options');
  const write = { options, ...request };
  const { name } = context.info;
  const scope = writeScope(write, admissionRun(write));
  const result = await endpoint.store.delete(scope, name, registryDeleteOptions(options));
  context.trace?.ended('Object deleted from database');
  // Only `orphanDependents: false` distinguishes a deletion that is still pending.
  const status = !result.gone && options.orphanDependents === false ? 202 : 200;
  if (result.gone && endpoint.store.strategy.returnsDeletedObject !== true) {
    await respondWithStatus(context, status, deletedStatus(endpoint, name, result.stored));
    return;
  }
  await respondObject(request, representation, status, result.stored);
}

/** DELETE of a collection: deletes each selected object separately; not atomic. Returns the objects as they were. */
export async function deleteCollection(context: RequestContext, endpoint: ResourceEndpoint): Promise<void> {
  const representation = negotiateRepresentation(context, endpoint.main.codec);
  const options = await readDeleteOptions(context);
  const listOptions = decodeListOptions(context.query);
  const selection = await selectionOf(endpoint, context.info, listOptions);
  checkListOptions(listOptions);
  refuseUnsafe(options);
  warnOfUnnamedPropagation(context, endpoint, options);
  const { signal } = context.exchange;
  // Upstream lists by pages, so that a version is exact.
  const demand = demandOfList({ ...listOptions, limit: listOptions.limit === 0 ? PAGE_SIZE : listOptions.limit });
  const answer = await endpoint.store.reader.list({ ...listRequestOf(selection, listOptions), demand, signal });
  const deletion = registryDeleteOptions(options);
  const write = { context, endpoint, view: endpoint.main, options };
  const atOnce = (await admissionRun(write, '').ordersDeletes()) ? 1 : DELETES_AT_ONCE;
  await forEachConcurrently(answer.items, atOnce, async ({ key }) => {
    // A request that has ended deletes nothing more.
    signal.throwIfAborted();
    const [name = '', namespace = ''] = key.split('/').reverse();
    const scope = writeScope(write, admissionRun(write, ''));
    try {
      await endpoint.store.delete(endpoint.namespaced ? { ...scope, namespace } : scope, name, deletion);
    } catch (error) {
      // Another request has deleted the object already, which is the desired outcome.
      if (!(error instanceof StatusError) || error.code !== 404) throw error;
    }
  });
  await respondList(context, endpoint, representation, answer);
}

/** Warns even if the object does not exist, like upstream. */
function warnOfUnnamedPropagation(context: RequestContext, endpoint: ResourceEndpoint, options: DeleteOptions): void {
  const { unnamedPropagationWarning } = endpoint.store.strategy;
  if (unnamedPropagationWarning === undefined) return;
  if (options.propagationPolicy !== undefined || options.orphanDependents !== undefined) return;
  context.warn(unnamedPropagationWarning);
}

async function readDeleteOptions(context: RequestContext): Promise<DeleteOptions> {
  const { query, audit, allowsUnsafeDeletion } = context;
  const bytes = await readBody(context);
  const body = bytes.length === 0 ? undefined : await decodeOptions(context, bytes);
  const options = deleteOptionsFrom(query, body, allowsUnsafeDeletion);
  if (body !== undefined && audit?.recordsRequest === true) {
    const document = { ...deleteOptionsDocument(options), apiVersion: INTERNAL_VERSION };
    audit.requestObject(stringifyJson(document));
  }
  return allowsUnsafeDeletion ? options : { ...options, ignoreStoreReadError: undefined };
}

async function decodeOptions(context: RequestContext, bytes: Buffer): Promise<DeleteOptionsBody> {
  try {
    const document = await decodeDocument(context, bytes, 'DeleteOptions');
    // Go decodes null into any type, and leaves its fields as they are.
    if (document.value === null) return {};
    const { kind } = interpret(document, deleteOptionsKind);
    if (kind !== deleteOptionsKind.kind || !isObject(document.value)) {
      throw badRequest('decoded object cannot be converted to DeleteOptions');
    }
    return asKind<DeleteOptionsBody>(asObject(await decodeKind(document)));
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    throw error instanceof StatusError ? withoutSubject(error) : error;
  }
}

async function decodeKind({ value, details, message }: Document): Promise<JsonObject> {
  const schema = schemaOf(DELETE_OPTIONS);
  if (message === undefined) {
    return (await inSlices(decodeTypedInSteps(value, schema, { details }))).object;
  }
  const { decodeProtobufInSteps } = await import('@binnacle/apimachinery/protobuf');
  return inSlices(decodeProtobufInSteps(message, schema));
}

const UNRECOGNIZED = 'the object provided is unrecognized (must be of type DeleteOptions): ';

/** Upstream's decoding errors of delete options name no type, and do not end with the first bytes of the body. */
function withoutSubject(error: StatusError): StatusError {
  const { message } = error;
  const bytesAt = message.lastIndexOf(' (');
  const isUnrecognized = message.startsWith(UNRECOGNIZED) && message.endsWith(')') && bytesAt >= UNRECOGNIZED.length;
  return isUnrecognized ? badRequest(message.slice(UNRECOGNIZED.length, bytesAt)) : error;
}

/** Converts the options to the registry's form. */
export function registryDeleteOptions(options: DeleteOptions): RegistryDeleteOptions {
  const { gracePeriodSeconds, orphanDependents, propagationPolicy, preconditions } = options;
  return { gracePeriodSeconds, orphanDependents, propagationPolicy, preconditions };
}

function deletedStatus(endpoint: ResourceEndpoint, name: string, stored: StoredObject): Status {
  const { group, resource } = endpoint.resource;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(group === '' ? {} : { group }), kind: resource, uid: stored.field('metadata.uid') },
  };
}

import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { FieldSchema, ValueSchema } from '@binnacle/apimachinery/schema';
import { badRequest } from '@binnacle/apimachinery/status';
import type { KindCodec } from '../codec/index.js';
import { parseBoolean, parseInt64, pathBehind, type RequestContext } from '../request/index.js';
import type { ConnectOptions, ResourceEndpoint } from './endpoint.js';
import { plainAdmissionRun } from './write-request.js';

/** Runs admission for a CONNECT. Throws a StatusError if the options are unreadable, or a plugin refuses. */
export async function admitConnect(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  { codec, hasPath }: ConnectOptions,
): Promise<void> {
  const { info, query } = context;
  if (query.has('dryRun')) throw badRequest('dryRun is not supported');
  const path = hasPath ? pathBehind(info) : undefined;
  const run = plainAdmissionRun(context, {
    ...endpoint,
    codec,
    subresource: info.subresource,
    name: info.name,
    dryRun: false,
  });
  await run.connect(connectObject(codec, query, path));
}

/** The options of the query, in upstream's types. Upstream: apiserver `handlers/get.go` (`getRequestOptions`). */
export function connectObject(codec: KindCodec, query: URLSearchParams, path: string | undefined): KubernetesObject {
  const object: KubernetesObject & JsonObject = {
    kind: codec.groupVersionKind.kind,
    apiVersion: codec.apiVersion,
    metadata: {},
  };
  const given = asJson(object);
  for (const field of codec.schema.fields) {
    const value = field.name === 'path' && path !== undefined ? path : valueIn(query, field);
    if (value !== undefined) given[field.name] = value;
  }
  return object;
}

function valueIn(query: URLSearchParams, { name, value }: FieldSchema): JsonValue | undefined {
  if (name === 'kind' || name === 'apiVersion' || !query.has(name)) return undefined;
  if (value.kind === 'list') return query.getAll(name).map((text) => scalar(value.items, text));
  return value.kind === 'boolean' ? parseBoolean(query, name) : scalar(value, query.get(name) ?? '');
}

function scalar({ kind }: ValueSchema, text: string): JsonValue {
  if (kind !== 'integer') return text;
  const number = parseInt64(text);
  if (typeof number === 'string') throw badRequest(number);
  return number;
}

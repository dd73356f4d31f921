import { deepCopy, deepEqual, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { FieldSchema, ValueSchema } from '@binnacle/apimachinery/schema';
import { badRequest } from '@binnacle/apimachinery/status';
import type { KindCodec } from '../codec/index.js';
import { parseBoolean, parseInt64, pathBehind, type RequestContext, withPathBehind } from '../request/index.js';
import type { ConnectOptions, ResourceEndpoint } from './endpoint.js';
import { plainAdmissionRun } from './write-request.js';

/**
 * Runs admission for a CONNECT. A plugin may change the options: the query and the path of the request are then those of the
 * changed ones. Throws a StatusError if the options are unreadable, or a plugin refuses.
 */
export async function admitConnect(
  context: RequestContext,
  endpoint: Pick<ResourceEndpoint, 'resource' | 'plugins' | 'admissionObserver'>,
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
  const options = connectObject(codec, query, path);
  const given = deepCopy(asJson(options));
  await run.connect(options);
  const admitted = asJson(options);
  if (!deepEqual(given, admitted)) applyOptions(context, codec, admitted, hasPath);
}

function applyOptions(context: RequestContext, codec: KindCodec, options: JsonObject, hasPath: boolean): void {
  const { query } = context;
  for (const { name } of codec.schema.fields) {
    if (name === 'kind' || name === 'apiVersion') continue;
    const value = options[name];
    if (name === 'path' && hasPath) {
      context.info = withPathBehind(context.info, typeof value === 'string' ? value : '');
      continue;
    }
    query.delete(name);
    // The options are texts, numbers and switches.
    for (const each of [value ?? []].flat()) query.append(name, typeof each === 'string' ? each : JSON.stringify(each));
  }
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

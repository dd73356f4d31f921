import {
  isObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from '@binnacle/apimachinery/patch';
import { DecodeError } from '@binnacle/apimachinery/serializer';
import {
  badRequest,
  invalid,
  invalidValue,
  notFound,
  type StatusError,
  unsupportedPatchType,
} from '@binnacle/apimachinery/status';
import type { RequestContext } from '../http/index.js';
import type { UpdateRequest } from '../registry/index.js';
import { type PatchOptions, parsePatchOptions } from '../request/index.js';
import { APPLY_PATCH, applyTransform } from './apply.js';
import { contentType, MAXIMUM_BODY_BYTES } from './body.js';
import type { ResourceEndpoint, View } from './endpoint.js';
import { negotiateRepresentation } from './negotiation.js';
import { respondObject } from './representation.js';
import { acceptUpdate, admissionRun, checkName, writeScope } from './write-support.js';

type Mechanism = (current: JsonObject, view: View) => JsonValue;

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
const PATCH_TYPES: ReadonlySet<string> = new Set([JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY_PATCH]);

/** PATCH of one object: the patch is applied to the newest state, again when that has moved on meanwhile. */
export async function patchObject(context: RequestContext, endpoint: ResourceEndpoint, view: View): Promise<void> {
  const type = contentType(context);
  if (!PATCH_TYPES.has(type)) throw unsupportedPatchType();
  const representation = negotiateRepresentation(context);
  const body = await context.exchange.readBody(MAXIMUM_BODY_BYTES);
  const isApply = type === APPLY_PATCH;
  const options = parsePatchOptions(context.query, isApply);
  const result = await endpoint.store.update(
    writeScope(context, options.dryRun),
    {
      name: context.info.name,
      ...(view.strategy === undefined ? {} : { strategy: view.strategy }),
      createIfAbsent: isApply && view.subresource === '',
      transform: isApply
        ? applyTransform(context, endpoint, view, options, body)
        : patchTransform(context, endpoint, view, options, mechanismFor(type, body)),
    },
    admissionRun(context, endpoint, view, options.dryRun),
  );
  await respondObject(context, endpoint, view, representation, result.created ? 201 : 200, result.stored);
}

function patchTransform(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  view: View,
  options: PatchOptions,
  mechanism: Mechanism,
): UpdateRequest['transform'] {
  return (current) => {
    // Only server-side apply makes objects out of nothing.
    if (current === undefined) throw notFound(endpoint.resource, context.info.name);
    const live = view.before(current);
    const outcome = mechanism(asJson(live), view);
    const object = decodePatched(context, view, options, outcome);
    checkName(context, object);
    view.codec.applyDefaults(object);
    return acceptUpdate(context, endpoint, view, options, object, current);
  };
}

function decodePatched(
  context: RequestContext,
  view: View,
  options: PatchOptions,
  outcome: JsonValue,
): KubernetesObject {
  try {
    if (!isObject(outcome)) throw new DecodeError('json: cannot unmarshal the patched value into an object');
    const { kind, version } = view.codec.groupVersionKind;
    if (outcome.kind !== kind || outcome.apiVersion !== view.codec.apiVersion) {
      throw new DecodeError(
        `converting (${version}.${typeof outcome.kind === 'string' ? outcome.kind : ''}) to (${version}.${kind}): unknown conversion`,
      );
    }
    const { object, strictErrors } = view.codec.decode(outcome);
    if (strictErrors.length > 0 && options.fieldValidation === 'Strict') {
      throw new DecodeError(`strict decoding error: ${strictErrors.join(', ')}`);
    }
    if (options.fieldValidation === 'Warn') for (const text of strictErrors) context.warn(text);
    return object;
  } catch (error) {
    if (error instanceof DecodeError) throw unreadablePatch(stringifyJson(outcome), error.message);
    throw error;
  }
}

function mechanismFor(type: string, body: Buffer): Mechanism {
  const patch = readPatch(body);
  switch (type) {
    case JSON_PATCH:
      return (current) => applyJsonPatch(current, patch);
    case MERGE_PATCH:
      return (current) => applyMergePatch(current, patch);
    default:
      return (current, view) => applyStrategicMergePatch(current, asObject(patch), view.codec.schema);
  }
}

function asObject(patch: JsonValue): JsonObject {
  if (isObject(patch)) return patch;
  const type = Array.isArray(patch) ? 'array' : typeof patch;
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
  );
}

function readPatch(body: Buffer): JsonValue {
  try {
    return parseJson(body).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
}

/** Upstream names neither the kind nor the object here. */
function unreadablePatch(shown: string, problem: string): StatusError {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown, problem)]);
}

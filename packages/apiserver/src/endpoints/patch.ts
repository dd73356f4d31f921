import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { applyMediaTypes, DecodeError } from '@binnacle/apimachinery/serializer';
import {
  invalid,
  invalidValue,
  notFound,
  type StatusError,
  unsupportedMediaType,
  unsupportedPatchType,
} from '@binnacle/apimachinery/status';
import { negotiateRepresentation } from '../answers/index.js';
import type { RequestContext } from '../http/index.js';
import type { UpdateRequest } from '../registry/index.js';
import { type PatchOptions, parsePatchOptions } from '../request/index.js';
import { applyTransform } from './apply.js';
import { decodeInTurns, MAXIMUM_BODY_BYTES } from './body.js';
import { pause } from '../slices/index.js';
import type { ResourceEndpoint, View } from './endpoint.js';
import { isPatchType, type PatchMechanism, patchMechanism } from './patch-mechanism.js';
import { ofKind } from './patched-kind.js';
import { respondObject } from './representation.js';
import { warnOf } from './strict-warnings.js';
import { acceptUpdate, admissionRun, checkName, creatingAdmission, writeScope } from './write-support.js';

/** Strategic merge needs a Go type, also for the scale of a custom resource. */
const untypedPatches: readonly string[] = ['application/json-patch+json', 'application/merge-patch+json'];

/** PATCH of one object. Applies the patch to the newest state, and again after a lost comparison. */
export async function patchObject(context: RequestContext, endpoint: ResourceEndpoint, view: View): Promise<void> {
  const type = patchTypeOf(context);
  const applyTypes = applyMediaTypes(context.serializers);
  const isApply = applyTypes.includes(type);
  if (endpoint.main.codec.untyped === true && !isApply && !untypedPatches.includes(type)) {
    throw unsupportedMediaType([...untypedPatches, ...applyTypes]);
  }
  if (!isApply && !isPatchType(type)) throw unsupportedPatchType();
  const representation = negotiateRepresentation(context, view.codec);
  const body = await context.exchange.readBody(MAXIMUM_BODY_BYTES);
  const options = parsePatchOptions(context.query, isApply);
  const result = await endpoint.store.update(
    writeScope(context, options.dryRun),
    {
      name: context.info.name,
      ...(view.strategy === undefined ? {} : { strategy: view.strategy }),
      createIfAbsent: isApply && view.subresource === '',
      transform: isPatchType(type)
        ? patchTransform(context, endpoint, view, options, await patchMechanism(type, body))
        : applyTransform(context, endpoint, view, options, type, body),
    },
    creatingAdmission(context, admissionRun(context, endpoint, view, options.dryRun)),
  );
  await respondObject(context, endpoint, view, representation, result.created ? 201 : 200, result.stored);
}

/** Upstream compares the header exactly, and ignores everything after a semicolon. */
function patchTypeOf({ exchange }: RequestContext): string {
  return (exchange.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
}

function patchTransform(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  view: View,
  options: PatchOptions,
  mechanism: PatchMechanism,
): UpdateRequest['transform'] {
  return async (current) => {
    // Only server-side apply creates an absent object.
    if (current === undefined) throw notFound(endpoint.resource, context.info.name);
    const live = asJson(view.before(current));
    const outcome = await mechanism.apply(live, view.codec, context.budget);
    await pause();
    const object = await decodePatched(context, view, options, mechanism, outcome, live);
    checkName(context, object);
    await pause();
    view.codec.applyDefaults(object, context.budget);
    await pause();
    return acceptUpdate(context, endpoint, view, options, object, current);
  };
}

async function decodePatched(
  context: RequestContext,
  view: View,
  options: PatchOptions,
  mechanism: PatchMechanism,
  outcome: JsonValue,
  live: JsonObject,
): Promise<KubernetesObject> {
  try {
    const shown = (): string => mechanism.shown(live, outcome);
    const patched = ofKind(outcome, view.codec, context.info.name, shown);
    const decoded = await decodeInTurns(view.codec, patched, mechanism.details(outcome));
    const strictErrors = [...mechanism.strictErrors, ...decoded.strictErrors];
    if (strictErrors.length > 0 && options.fieldValidation === 'Strict') {
      throw new DecodeError(`strict decoding error: ${strictErrors.join(', ')}`);
    }
    if (options.fieldValidation === 'Warn') warnOf(context, strictErrors);
    return decoded.object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const shown = mechanism.shown(live, outcome);
    await pause();
    throw unreadablePatch(shown, mechanism.problem(outcome, view.codec) ?? error.message);
  }
}

/** Upstream's message names neither the kind nor the object. */
function unreadablePatch(shown: string, problem: string): StatusError {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown, problem)]);
}

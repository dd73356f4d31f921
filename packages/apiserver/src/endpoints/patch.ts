import type { JsonObject } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { applyMediaTypes, DecodeError } from '@binnacle/apimachinery/serializer';
import {
  invalid,
  invalidValue,
  notFound,
  shortenValue,
  type StatusError,
  unsupportedMediaType,
  unsupportedPatchType,
} from '@binnacle/apimachinery/status';
import { negotiateRepresentation } from '../answers/index.js';
import type { UpdateRequest } from '../registry/index.js';
import { parsePatchOptions, type PatchOptions, type RequestContext } from '../request/index.js';
import { applyTransform } from './apply.js';
import { auditPatch } from './body/audit-bodies.js';
import { readBody } from './body/read-body.js';
import { applyDefaultsInTurns } from './in-turns.js';
import { inSlices, stage } from '../slices/index.js';
import type { ObjectRequest } from './endpoint.js';
import { isPatchType, type Patched, type PatchMechanism, patchMechanism } from './patch-mechanism.js';
import { ofKind, strictErrorsWithoutVersion } from './body/patched-kind.js';
import { respondObject } from './representation.js';
import { warnOf } from './body/strict-warnings.js';
import { acceptUpdate, checkName, updateAddressed, withoutName, type WriteRequest } from './write-request.js';

/** Strategic merge needs a Go type, also for the scale of a custom resource. */
const untypedPatches: readonly string[] = ['application/json-patch+json', 'application/merge-patch+json'];

/** PATCH of one object. Applies the patch to the newest state, and again after a lost comparison. */
export async function patchObject(request: ObjectRequest): Promise<void> {
  const { context, endpoint, view } = request;
  const type = patchTypeOf(context);
  const applyTypes = applyMediaTypes(context.serializers);
  const isApply = applyTypes.includes(type);
  if (endpoint.main.codec.untyped === true && !isApply && !untypedPatches.includes(type)) {
    throw unsupportedMediaType([...untypedPatches, ...applyTypes]);
  }
  if (!isApply && !isPatchType(type)) throw unsupportedPatchType();
  const representation = negotiateRepresentation(context, view.codec);
  const body = await readBody(context);
  context.trace?.ended('limitedReadBody succeeded');
  await auditPatch(context, type, body);
  const write: WriteRequest<PatchOptions> = { options: parsePatchOptions(context.query, isApply), ...request };
  const result = await updateAddressed(write, {
    createIfAbsent: isApply && view.subresource === '',
    requiresManagers: isApply,
    transform: isPatchType(type)
      ? patchTransform(write, await patchMechanism(type, body))
      : applyTransform(write, type, body),
  });
  context.trace?.ended('Object stored in database');
  await respondObject(request, representation, result.created ? 201 : 200, result.stored);
}

/** Upstream compares the header exactly, and ignores everything after a semicolon. */
function patchTypeOf({ exchange }: RequestContext): string {
  return (exchange.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
}

function patchTransform(write: WriteRequest, mechanism: PatchMechanism): UpdateRequest['transform'] {
  const { context, endpoint, view } = write;
  return async (current) => {
    // Only server-side apply creates an absent object.
    if (current === undefined) throw notFound(endpoint.resource, context.info.name);
    const live = asJson(view.before(current));
    const patched = await mechanism.apply(live, view.codec, context.budget);
    await stage();
    const object = await decodePatched(write, mechanism, patched, live);
    checkName(write, object);
    await stage();
    await applyDefaultsInTurns(view.codec, object, context.budget);
    await stage();
    return acceptUpdate(write, object, current);
  };
}

async function decodePatched(
  { context, view, options }: WriteRequest,
  mechanism: PatchMechanism,
  patched: Patched,
  live: JsonObject,
): Promise<KubernetesObject> {
  const { outcome, details } = patched;
  let text: string | undefined;
  const shown = async (): Promise<string> => (text ??= shortenValue(await mechanism.shown(live, patched)));
  const judge = (found: readonly string[]): void => {
    const strictErrors = [...mechanism.strictErrors, ...found];
    if (strictErrors.length > 0 && options.fieldValidation === 'Strict') {
      throw new DecodeError(`strict decoding error: ${strictErrors.join(', ')}`);
    }
    if (options.fieldValidation === 'Warn') warnOf(context, strictErrors);
  };
  try {
    const withoutVersion = strictErrorsWithoutVersion(outcome, view.codec);
    if (withoutVersion !== undefined) {
      judge(withoutVersion);
      throw withoutName(context.info.name);
    }
    const named = ofKind(outcome, view.codec);
    if (named === undefined) throw new DecodeError(`Object 'Kind' is missing in '${await shown()}'`);
    const decoded = await inSlices(view.codec.decodeInSteps(named, details));
    judge(decoded.strictErrors);
    return decoded.object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const quoted = await shown();
    await stage();
    throw unreadablePatch(quoted, mechanism.problem(outcome, view.codec) ?? error.message);
  }
}

/** Upstream's message names neither the kind nor the object. */
function unreadablePatch(shown: string, problem: string): StatusError {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown, problem)]);
}

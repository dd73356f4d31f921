import type { GroupVersionKind, KubernetesObject } from '@binnacle/apimachinery/meta';
import { DecodeError } from '@binnacle/apimachinery/serializer';
import type { WorkBudget } from '@binnacle/apimachinery/work';
import type { KindCodec } from '../../codec/index.js';
import type { FieldValidation, RequestContext } from '../../request/index.js';
import { inSlices, stage } from '../../slices/index.js';
import { auditRequestObject } from './audit-bodies.js';
import { type Document, readDocument } from './document.js';
import { givenKind } from './given-kind.js';
import { applyDefaultsInTurns } from '../in-turns.js';
import { warnOf } from './strict-warnings.js';
import { cannotHandle, type KindLookup } from './wrong-kind.js';

const NOT_PROTOBUF =
  'object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message';

/**
 * Reads the body as an object of the codec's kind, defaulted, in the codec's version. Refuses unknown and duplicate
 * fields, warns of them, or drops them, as the request asks. Throws 400, 413 or 415 in upstream's words.
 */
export async function readObject(
  context: RequestContext,
  codec: KindCodec,
  validation: FieldValidation,
  kindExists: KindLookup,
): Promise<KubernetesObject> {
  const document = await readDocument(context, codec.groupVersionKind.kind);
  context.trace?.ended('limitedReadBody succeeded');
  await stage();
  const object = await decodeObject(context, document, codec, validation, kindExists);
  await stage();
  return object;
}

export async function decodeObject(
  context: RequestContext,
  document: Document,
  codec: KindCodec,
  validation: FieldValidation,
  kindExists: KindLookup,
): Promise<KubernetesObject> {
  const object = await decodeDefaulted(context, document, codec, validation, kindExists);
  await auditRequestObject(context, codec, object);
  return object;
}

async function decodeDefaulted(
  context: RequestContext,
  document: Document,
  codec: KindCodec,
  validation: FieldValidation,
  kindExists: KindLookup,
): Promise<KubernetesObject> {
  const expected = codec.groupVersionKind;
  const given = givenKind(document, codec, kindExists);
  await stage();
  if (document.message !== undefined) return decodeMessage(document.message, given, codec, context.budget);
  const decoded = await decoding(given, expected, () =>
    inSlices(codec.decodeInSteps(document.value, document.details)),
  );
  const { object } = decoded;
  const strictErrors = [...document.strictErrors, ...decoded.strictErrors];
  if (validation === 'Strict' && strictErrors.length > 0) {
    throw cannotHandle(given, expected, `strict decoding error: ${strictErrors.join(', ')}`);
  }
  if (validation === 'Warn') warnOf(context, strictErrors);
  await stage();
  await applyDefaultsInTurns(codec, object, context.budget);
  return object;
}

/** Protobuf drops unknown fields whatever the request says: they have no names. */
async function decodeMessage(
  message: Uint8Array,
  given: GroupVersionKind,
  codec: KindCodec,
  budget: WorkBudget,
): Promise<KubernetesObject> {
  const expected = codec.groupVersionKind;
  const steps = codec.decodeProtobuf?.(message);
  if (steps === undefined) throw cannotHandle(given, expected, NOT_PROTOBUF);
  return decoding(given, expected, async () => {
    const object = await inSlices(await steps);
    await stage();
    await applyDefaultsInTurns(codec, object, budget);
    return object;
  });
}

async function decoding<T>(
  given: GroupVersionKind,
  expected: GroupVersionKind,
  decode: () => T | Promise<T>,
): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    if (error instanceof DecodeError) throw cannotHandle(given, expected, error.message);
    throw error;
  }
}

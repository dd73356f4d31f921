import {
  isObject,
  JsonNumberRangeError,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJsonInSteps,
  unstructuredDetails,
} from '@binnacle/apimachinery/json';
import {
  type Applied,
  applyInSteps,
  type Convert,
  describeDocument,
  formatKind,
} from '@binnacle/apimachinery/managedfields';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { APPLY_CBOR_MEDIA_TYPE, DecodeError, goKindOf } from '@binnacle/apimachinery/serializer';
import { badRequest, conflict, type StatusError, unclassified } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import type { WorkBudget } from '@binnacle/apimachinery/work';
import type { KindCodec } from '../codec/index.js';
import type { UpdateRequest } from '../registry/index.js';
import type { PatchOptions, RequestContext } from '../request/index.js';
import { inSlices, stage } from '../slices/index.js';
import { applyDefaultsInTurns } from './in-turns.js';
import type { ResourceEndpoint } from './endpoint.js';
import { setManagers } from './managers.js';
import { warnOf } from './body/strict-warnings.js';
import { checkName, type WriteRequest } from './write-request.js';

interface Configuration {
  readonly value: JsonObject;
  /** Duplicate keys. */
  readonly strictErrors: readonly string[];
}

/** Applies the body to the newest state, which may be none, as server-side apply. */
export function applyTransform(
  write: WriteRequest<PatchOptions>,
  type: string,
  body: Buffer,
): UpdateRequest['transform'] {
  const { context, endpoint, view, options } = write;
  let reading: Promise<Configuration> | undefined;
  return async (current) => {
    reading ??= type === APPLY_CBOR_MEDIA_TYPE ? readCbor(body) : readConfiguration(body);
    const configuration = await reading;
    await stage();
    const live = current === undefined ? undefined : view.before(current);
    const now = formatTime(endpoint.clock.now());
    const apply = async (convert: Convert) => {
      const steps = applyInSteps({
        live,
        configuration: configuration.value,
        kind: view.codec.groupVersionKind,
        schema: view.codec.schema,
        manager: options.fieldManager,
        subresource: view.subresource,
        force: options.force === true,
        now,
        resetFields: view.resetFields,
        settableFields: view.settableFields,
        convert,
        budget: context.budget,
      });
      const result = await inSlices(steps);
      await stage();
      return {
        applied: result,
        object: await appliedObject(view.codec, configuration.value, result, live, context.budget),
      };
    };
    const { applied, object } = await readable(view.codec, configuration.value, () => view.converting(apply));
    checkDuplicates(context, options, configuration.strictErrors);
    if (current === undefined) checkUid(endpoint, context.info.name, object);
    checkName(write, object);
    setManagers(object, applied.managedFields);
    await stage();
    return view.accept(object, current);
  };
}

/** The resulting object, decoded and defaulted; unchanged parts are kept. */
async function appliedObject(
  codec: KindCodec,
  configuration: JsonObject,
  applied: Applied,
  live: KubernetesObject | undefined,
  budget: WorkBudget,
): Promise<KubernetesObject> {
  if (applied.document === undefined && live !== undefined) return { ...live, metadata: { ...live.metadata } };
  const document = applied.document ?? configuration;
  const object =
    codec.decodeApplied?.(document) ?? (await inSlices(codec.decodeInSteps(document, unstructuredDetails))).object;
  await stage();
  await applyDefaultsInTurns(codec, object, budget);
  return object;
}

/** A merged document that cannot be decoded is an internal error, like upstream. */
async function readable<T>(codec: KindCodec, configuration: JsonObject, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const kind = formatKind(codec.groupVersionKind);
    throw unclassified(
      `failed to convert new object (${describeDocument(configuration)}) to proper version: ` +
        `unable to convert unstructured object to ${kind}: ${error.message}`,
    );
  }
}

function checkDuplicates(context: RequestContext, options: PatchOptions, strictErrors: readonly string[]): void {
  const [error] = strictErrors;
  if (options.fieldValidation === 'Strict' && error !== undefined) {
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${error}`);
  }
  if (options.fieldValidation === 'Warn') warnOf(context, strictErrors);
}

/** A configuration with a uid expects an object that exists. */
function checkUid({ resource }: ResourceEndpoint, name: string, object: KubernetesObject): void {
  const { uid = '' } = object.metadata;
  if (uid === '') return;
  const problem = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(resource, name, problem);
}

/** Upstream calls every configuration YAML. */
async function readCbor(body: Buffer): Promise<Configuration> {
  const { CborError, decodeCborInSteps } = await import('@binnacle/apimachinery/cbor');
  try {
    const { value } = await inSlices(decodeCborInSteps(body));
    if (isObject(value)) return { value, strictErrors: [] };
    if (value === null) return { value: {}, strictErrors: [] };
    throw new CborError(`cbor: cannot unmarshal ${goKindOf(value)} into Go value of type map[string]interface {}`);
  } catch (error) {
    if (error instanceof CborError) throw badRequest(`error decoding YAML: ${error.message}`);
    throw error;
  }
}

async function readConfiguration(body: Buffer): Promise<Configuration> {
  const { value, strictErrors } = (await tryJson(body)) ?? (await readYaml(body));
  if (isObject(value)) return { value, strictErrors };
  if (value === null) return { value: {}, strictErrors };
  throw badRequest(
    'error decoding YAML: error unmarshaling JSON: while decoding JSON: ' +
      `json: cannot unmarshal ${goKindOf(value)} into Go value of type map[string]interface {}`,
  );
}

/** Most clients send JSON, and then the YAML reader need not be loaded. */
async function tryJson(body: Buffer): Promise<{ value: JsonValue; strictErrors: readonly string[] } | undefined> {
  try {
    const { value, duplicates } = await inSlices(parseJsonInSteps(body));
    return duplicates.length === 0 ? { value, strictErrors: [] } : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonNumberRangeError) return undefined;
    throw error;
  }
}

async function readYaml(body: Buffer): Promise<{ value: JsonValue; strictErrors: readonly string[] }> {
  const { parseYamlInSteps, YamlError } = await import('@binnacle/apimachinery/yaml');
  try {
    return await inSlices(parseYamlInSteps(body));
  } catch (error) {
    if (error instanceof YamlError) throw unreadable(error.message);
    throw error;
  }
}

function unreadable(problem: string): StatusError {
  return badRequest(`error decoding YAML: error converting YAML to JSON: ${problem}`);
}

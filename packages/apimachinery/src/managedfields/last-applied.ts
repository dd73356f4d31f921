import { getOwn, isObject, type JsonObject, parseJson, stringifyJson } from '../json/index.js';
import { compareInSteps } from './merge/compare.js';
import { emptyFieldSet, type FieldSet } from './fieldsets/field-set.js';
import { fieldSetOf } from './fieldsets/field-set-of.js';
import { writtenValue } from './merge/presence.js';
import type { Steps } from '../work/index.js';
import { configurationProblem } from './validate-configuration.js';
import type { WrittenObject } from './versions.js';

/** The only manager whose client-side apply annotation is read and updated: kubectl by default. */
export const CLIENT_SIDE_APPLIER = 'kubectl';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
/** Upstream: apimachinery `TotalAnnotationSizeLimitB`. */
const ANNOTATIONS_MAXIMUM = 256 * 1024;

/**
 * The fields set by client-side apply and unchanged since, which kubectl may take over without a conflict. Upstream:
 * apimachinery `managedfields/internal/lastappliedmanager.go`.
 */
export function* clientSideFields(live: WrittenObject): Steps<FieldSet> {
  const applied = readLastApplied(live);
  if (applied === undefined) return emptyFieldSet;
  const { schema } = live;
  if ((yield* configurationProblem(applied, schema)) !== undefined) return emptyFieldSet;
  if ((yield* configurationProblem(live.document, schema)) !== undefined) return emptyFieldSet;
  const { added, modified, removed } = yield* compareInSteps(applied, live.document, schema, writtenValue);
  return fieldSetOf(applied, schema, writtenValue).difference(modified).difference(added).difference(removed);
}

function readLastApplied({ document, apiVersion }: WrittenObject): JsonObject | undefined {
  const text = getOwn(annotationsOf(document), ANNOTATION);
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    const { value } = parseJson(text);
    if (!isObject(value) || value.apiVersion !== apiVersion || value.kind !== document.kind) return undefined;
    return value;
  } catch {
    return undefined;
  }
}

/**
 * The document with its client-side apply annotation, if any, updated to the configuration. Upstream: apimachinery
 * `managedfields/internal/lastappliedupdater.go`.
 */
export function withLastApplied(document: JsonObject, configuration: JsonObject): JsonObject {
  const annotations = annotationsOf(document);
  const before = getOwn(annotations, ANNOTATION);
  if (typeof before !== 'string' || before === '') return document;
  const text = `${stringifyJson(withoutLastApplied(configuration), { sortKeys: true })}\n`;
  if (text === before) return document;
  const changed: JsonObject = { ...annotations, [ANNOTATION]: text };
  if (sizeOf(changed) > ANNOTATIONS_MAXIMUM) delete changed[ANNOTATION];
  const metadata = getOwn(document, 'metadata');
  return { ...document, metadata: { ...(isObject(metadata) ? metadata : {}), annotations: changed } };
}

function withoutLastApplied(configuration: JsonObject): JsonObject {
  const metadata = getOwn(configuration, 'metadata');
  const annotations = annotationsOf(configuration);
  if (!isObject(metadata) || getOwn(annotations, ANNOTATION) === undefined) return configuration;
  const { [ANNOTATION]: _, ...others } = annotations;
  return { ...configuration, metadata: { ...metadata, annotations: others } };
}

function annotationsOf(document: JsonObject): JsonObject {
  const metadata = getOwn(document, 'metadata');
  const annotations = isObject(metadata) ? getOwn(metadata, 'annotations') : undefined;
  return isObject(annotations) ? annotations : {};
}

function sizeOf(annotations: JsonObject): number {
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  return size;
}

import { deepEqualInSteps, type JsonObject } from '../json/index.js';
import { asJson, asObject, type KubernetesObject } from '../meta/index.js';
import type { StructSchema } from '../schema/index.js';
import type { Steps } from '../work/index.js';
import { writtenObject } from './merge/presence.js';
import { configurationProblem } from './validate-configuration.js';

/** An object in one version. */
export interface VersionedObject {
  readonly object: Readonly<KubernetesObject>;
  readonly schema: StructSchema;
}

/**
 * Converts an object to another version; undefined if its kind does not have that version. Throws decoding errors and
 * {@link VersionError}.
 */
export type Convert = (object: Readonly<KubernetesObject>, apiVersion: string) => VersionedObject | undefined;

/** A document in one version with all values that upstream's typed object shows, zeros of absent fields included. */
export interface WrittenObject {
  readonly apiVersion: string;
  readonly document: JsonObject;
  readonly schema: StructSchema;
}

/** An object cannot be converted to a version, or cannot be read in it. */
export class VersionError extends Error {
  override readonly name = 'VersionError';
}

/**
 * The object in another version; undefined if that version no longer exists. Throws a {@link VersionError} if it cannot
 * be read in that version, for example because a keyed list has a duplicate item. Upstream: apimachinery
 * `managedfields/internal/versionconverter.go`.
 */
export function* inVersion(
  written: WrittenObject,
  apiVersion: string,
  convert: Convert,
): Steps<WrittenObject | undefined> {
  if (written.apiVersion === apiVersion) return written;
  const converted = convert(asObject(written.document), apiVersion);
  if (converted === undefined) return undefined;
  yield;
  const { object, schema } = converted;
  const document = writtenObject(asJson(object), schema);
  yield;
  const problem = yield* configurationProblem(document, schema);
  if (problem !== undefined) throw new VersionError(problem);
  return { apiVersion, document, schema };
}

export function sameDocument(a: WrittenObject, b: WrittenObject): Steps<boolean> {
  return deepEqualInSteps(a.document, b.document);
}

/** Caches the answer for each version. */
export function cachedByVersion<T>(answer: (apiVersion: string) => Steps<T>): (apiVersion: string) => Steps<T> {
  const answers = new Map<string, T>();
  return function* (apiVersion) {
    const known = answers.get(apiVersion);
    if (known !== undefined || answers.has(apiVersion)) return known as T;
    const asked = yield* answer(apiVersion);
    answers.set(apiVersion, asked);
    return asked;
  };
}

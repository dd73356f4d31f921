import { getOwn, isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from '@binnacle/apimachinery/meta';
import { typeMetaFieldProblem, typeMetaProblem } from '@binnacle/apimachinery/serializer';
import type { KindCodec } from '../../codec/index.js';
import { type Document, unrecognized } from './document.js';
import { type KindLookup, otherVersion, wrongKind } from './wrong-kind.js';

const API_VERSION = 'apiVersion';
const KIND = 'kind';

/** The kind and version that the document has, or omits. Throws 400 unless they are the codec's. */
export function givenKind(document: Document, codec: KindCodec, kindExists: KindLookup): GroupVersionKind {
  const expected = codec.groupVersionKind;
  const given = interpret(document, expected);
  if (codec.untyped === true) return checkUntyped(document, codec);
  if (given.kind !== expected.kind || formatGroupVersion(given) !== codec.apiVersion) {
    throw wrongKind(given, expected, kindExists);
  }
  return given;
}

/** The document's own kind and version; the expected ones fill what it omits. Throws 400 for unreadable ones. */
export function interpret(document: Document, expected: GroupVersionKind): GroupVersionKind {
  const { value } = document;
  if (!isObject(value)) {
    if (value !== null) throw unrecognized(expected.kind, typeMetaProblem(value), document.bytes);
    return expected;
  }
  const names = Object.keys(value).filter(({ length }) => length === API_VERSION.length || length === KIND.length);
  const apiVersion = typeText(value, API_VERSION, names, document, expected);
  const kind = typeText(value, KIND, names, document, expected) || expected.kind;
  if (apiVersion === '') return { group: expected.group, version: expected.version, kind };
  const groupVersion = parseGroupVersion(apiVersion);
  if (groupVersion === undefined) {
    throw unrecognized(expected.kind, `unexpected GroupVersion string: ${apiVersion}`, document.bytes);
  }
  return { ...groupVersion, kind };
}

/** The last value of a key that matches `field` in any case: Go matches the type's keys case-insensitively. */
function typeText(
  value: JsonObject,
  field: typeof API_VERSION | typeof KIND,
  names: readonly string[],
  document: Document,
  expected: GroupVersionKind,
): string {
  let text = '';
  for (const key of names) {
    if (key.length !== field.length || foldName(key) !== foldName(field)) continue;
    for (const holder of [...(document.details?.duplicateKeys.get(value)?.get(key) ?? []), value]) {
      const held = getOwn(holder, key) ?? null;
      if (typeof held === 'string') text = held;
      else if (held !== null) throw unrecognized(expected.kind, typeMetaFieldProblem(field, held), document.bytes);
    }
  }
  return text;
}

/** Folds names as Go does: the long s is an s, and the Kelvin sign a k. */
function foldName(name: string): string {
  return name.toLowerCase().replaceAll('\u017f', 's');
}

/** Checks that an untyped object has `kind` and `apiVersion`, spelled exactly, before their values are checked. */
function checkUntyped({ value, bytes }: Document, codec: KindCodec): GroupVersionKind {
  const { kind = '', apiVersion = '' } = isObject(value) ? value : {};
  if (kind === '' || kind === null) {
    const problem = `Object 'Kind' is missing in '${bytes.toString('utf8')}'`;
    throw unrecognized(codec.groupVersionKind.kind, problem, bytes);
  }
  if (apiVersion === codec.apiVersion)
    return { ...codec.groupVersionKind, kind: typeof kind === 'string' ? kind : codec.groupVersionKind.kind };
  const given = typeof apiVersion === 'string' ? apiVersion : '';
  throw otherVersion(given === '' ? '/' : given, codec.apiVersion);
}

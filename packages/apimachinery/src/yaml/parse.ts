import { isUtf8 } from 'node:buffer';
import { type Document, isCollection, isScalar, isSeq, LineCounter, type YAMLError } from 'yaml';
import { type JsonDetails, JsonNumberRangeError, JsonSyntaxError, type JsonValue, parseJson } from '../json/index.js';
import { finish, type Steps } from '../work/index.js';
import { NodeConverter } from './convert.js';
import { firstDocument } from './document.js';
import { translateSyntaxError } from './syntax-errors.js';
import { YamlError } from './yaml-error.js';

export interface ParsedYaml {
  readonly value: JsonValue;
  /** What strict reading holds against the document: keys set twice, all in one text, as upstream words it. */
  readonly strictErrors: readonly string[];
}

/**
 * Reads the first document of a YAML 1.1 stream as upstream does: `yes`, `no`, `on`, `off`, `y`, `n` are booleans, `0777` is octal,
 * `1_000` an integer, times of day are strings, keys that are numbers or booleans become strings, `<<` merges, the last of
 * duplicate keys wins. Work is bounded: depth, and how far aliases may multiply a document.
 *
 * Throws {@link YamlError}. Upstream: sigs.k8s.io/yaml `YAMLToJSON`.
 */
export function parseYaml(source: string | Uint8Array): ParsedYaml {
  return finish(parseYamlInSteps(source));
}

/** The same in steps: to read YAML takes ten times as long as to read JSON. */
export function* parseYamlInSteps(source: string | Uint8Array): Steps<ParsedYaml> {
  const text = decode(source);
  const json = tryJson(text);
  if (json !== undefined) return json;
  if (controlCharacter.test(text)) throw new YamlError('yaml: control characters are not allowed');
  if (hasTooManyTokens(text)) throw new YamlError(`yaml: exceeded max of ${MAXIMUM_TOKENS} lines and list separators`);
  const lines = new LineCounter();
  const document = yield* firstDocument(text, lines);
  yield;
  if (document === undefined) return { value: null, strictErrors: [] };
  const error = document.errors[0];
  if (error !== undefined && !isAfterRoot(error, document)) {
    throw translateSyntaxError(error, text, lines, isSeq(document.contents) ? 'list' : 'map');
  }
  return new NodeConverter(lines).convert(document.contents);
}

/** Upstream reads one node, and never sees what follows one that is complete: a scalar, or a map or list in brackets. */
function isAfterRoot(error: YAMLError, document: Document.Parsed): boolean {
  const root = document.contents;
  const complete = isScalar(root) || (isCollection(root) && root.flow === true);
  return complete && error.code === 'UNEXPECTED_TOKEN' && error.pos[0] >= root.range[1];
}

/** Clients send JSON where YAML is accepted more often than not, and JSON is fast to read. */
function tryJson(text: string): ParsedYaml | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const { value, duplicates, details } = parseJson(text);
    return duplicates.length === 0 && !hasMinusZero(details) ? { value, strictErrors: [] } : undefined;
  } catch (error) {
    // A number that no double holds is text in YAML.
    if (error instanceof JsonSyntaxError || error instanceof JsonNumberRangeError) return undefined;
    throw new YamlError(`yaml: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Upstream reads floats of YAML by way of integers, which have no minus zero. */
function hasMinusZero(details: JsonDetails | undefined): boolean {
  for (const texts of details?.numberTexts.values() ?? [])
    for (const text of texts.values()) if (Object.is(Number(text), -0)) return true;
  return false;
}

/**
 * A reader of YAML spends ten microseconds and more on a node where a reader of JSON spends one, and nothing else runs
 * meanwhile. Manifests of a megabyte stay far below this; JSON has no such limit.
 */
const MAXIMUM_TOKENS = 60_000;

function hasTooManyTokens(text: string): boolean {
  let tokens = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x0a: // line feed
      case 0x2c: // ,
      case 0x5b: // [
      case 0x7b: // {
        if (++tokens > MAXIMUM_TOKENS) return true;
    }
  }
  return false;
}

const byteOrderMark = /^\ufeff/;
// What upstream's reader takes for printable, tab and line ends.
const controlCharacter = /[^\t\n\r -~\u0085\u00a0-\ufffd]/;

function decode(source: string | Uint8Array): string {
  if (typeof source === 'string') return source.replace(byteOrderMark, '');
  if (!isUtf8(source)) throw new YamlError('yaml: invalid leading UTF-8 octet');
  return Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('utf8').replace(byteOrderMark, '');
}

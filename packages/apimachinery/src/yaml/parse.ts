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
  /** Strict errors: all duplicate keys in one message, as upstream's. */
  readonly strictErrors: readonly string[];
}

/**
 * Parses the first document of a YAML 1.1 stream as upstream does: `yes`, `no`, `on`, `off`, `y`, `n` are booleans,
 * `0777` is octal, `1_000` an integer, times of day are strings, numeric and boolean keys become strings, `<<` merges,
 * the last of duplicate keys wins. Depth and the expansion of aliases are bounded.
 *
 * Throws {@link YamlError}. Upstream: sigs.k8s.io/yaml `YAMLToJSON`.
 */
export function parseYaml(source: string | Uint8Array): ParsedYaml {
  return finish(parseYamlInSteps(source));
}

/** {@link parseYaml} in steps: parsing YAML takes ten times as long as JSON. */
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

/** Upstream reads one node, and ignores anything after a complete one: a scalar, or a map or list in brackets. */
function isAfterRoot(error: YAMLError, document: Document.Parsed): boolean {
  const root = document.contents;
  const complete = isScalar(root) || (isCollection(root) && root.flow === true);
  return complete && error.code === 'UNEXPECTED_TOKEN' && error.pos[0] >= root.range[1];
}

/** Clients often send JSON where YAML is accepted, and JSON parses fast. */
function tryJson(text: string): ParsedYaml | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const { value, duplicates, details } = parseJson(text);
    return duplicates.length === 0 && !hasMinusZero(details) ? { value, strictErrors: [] } : undefined;
  } catch (error) {
    // A number beyond all doubles is a string in YAML.
    if (error instanceof JsonSyntaxError || error instanceof JsonNumberRangeError) return undefined;
    throw new YamlError(`yaml: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Upstream reads YAML floats through integers, which have no negative zero. */
function hasMinusZero(details: JsonDetails | undefined): boolean {
  for (const texts of details?.numberTexts.values() ?? [])
    for (const text of texts.values()) if (Object.is(Number(text), -0)) return true;
  return false;
}

/**
 * Parsing a YAML node takes ten microseconds or more, ten times as long as in JSON, and blocks the event loop.
 * Manifests of a megabyte stay far below this limit. JSON has no such limit.
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
/** Line breaks of YAML 1.1 that the parser does not know. Upstream reads each as a line feed. */
const otherLineBreak = /\r(?!\n)|\u0085/g;
// Characters that upstream's parser does not accept as printable, tab or line end.
const controlCharacter = /[^\t\n\r -~\u0085\u00a0-\ufffd]/;

function decode(source: string | Uint8Array): string {
  if (typeof source !== 'string' && !isUtf8(source)) throw new YamlError('yaml: invalid leading UTF-8 octet');
  const text =
    typeof source === 'string'
      ? source
      : Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('utf8');
  return text.replace(byteOrderMark, '').replace(otherLineBreak, '\n');
}

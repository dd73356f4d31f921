import { isUtf8 } from 'node:buffer';
import { messageOf } from '../errors/index.js';
import {
  JsonNumberRangeError,
  JsonSyntaxError,
  type JsonValue,
  type ParsedJson,
  parseJsonInSteps,
} from '../json/index.js';
import { finish, type Steps } from '../work/index.js';
import { NodeConverter } from './convert.js';
import { NodeParser } from './node-parser.js';
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

/** {@link parseYaml} in steps. */
export function* parseYamlInSteps(source: string | Uint8Array): Steps<ParsedYaml> {
  const text = withLineFeeds(decode(source));
  if (controlCharacter.test(text)) throw new YamlError('yaml: control characters are not allowed');
  const json = yield* tryJson(text);
  if (json !== undefined) return json;
  const root = yield* new NodeParser(text).document();
  return root === undefined ? { value: null, strictErrors: [] } : yield* new NodeConverter().convert(root);
}

const startOfJson = /^[ \n]*\{/;
/** JSON that YAML refuses: escapes of `/` and of halves of surrogate pairs, and keys that end on an earlier line. */
const unlikeYaml = /\\(?:\/|u[dD][89a-fA-F])|\n[ \t]*:/;

/** Clients often send JSON where YAML is accepted, and JSON parses fast. */
function* tryJson(text: string): Steps<ParsedYaml | undefined> {
  if (!startOfJson.test(text) || unlikeYaml.test(text)) return undefined;
  try {
    const { value, duplicates, details } = yield* parseJsonInSteps(text);
    return duplicates.length === 0 && !hasMinusZero(details) ? { value, strictErrors: [] } : undefined;
  } catch (error) {
    // A number beyond all doubles is a string in YAML.
    if (error instanceof JsonSyntaxError || error instanceof JsonNumberRangeError) return undefined;
    throw new YamlError(`yaml: ${messageOf(error)}`, { cause: error });
  }
}

/** Upstream reads YAML floats through integers, which have no negative zero. */
function hasMinusZero(details: ParsedJson['details']): boolean {
  for (const texts of details?.numberTexts.values() ?? [])
    for (const text of texts.values()) if (Object.is(Number(text), -0)) return true;
  return false;
}

const byteOrderMark = /^\ufeff/;
const otherLineBreak = /\r|\u0085/;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
// Characters that upstream's parser does not accept as printable, tab or line end.
const controlCharacter = /[^\t\n\r -~\u0085\u00a0-\ufffd]/;

function decode(source: string | Uint8Array): string {
  if (typeof source !== 'string' && !isUtf8(source)) throw new YamlError('yaml: invalid leading UTF-8 octet');
  const text =
    typeof source === 'string'
      ? source
      : Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('utf8');
  return text.replace(byteOrderMark, '');
}

/**
 * Upstream reads each of the other line breaks as a line feed, and keeps U+2028 and U+2029. A replacement by pattern would
 * make millions of matches out of a large body.
 */
function withLineFeeds(text: string): string {
  if (!otherLineBreak.test(text)) return text;
  const bytes = Buffer.from(text);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? LINE_FEED;
    const next = bytes[index + 1];
    const isPair = (byte === CARRIAGE_RETURN && next === LINE_FEED) || (byte === 0xc2 && next === 0x85);
    bytes[length++] = isPair || byte === CARRIAGE_RETURN ? LINE_FEED : byte;
    if (isPair) index++;
  }
  return bytes.toString('utf8', 0, length);
}

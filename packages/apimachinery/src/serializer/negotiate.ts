import type { GroupVersionKind } from '../meta/index.js';
import { type AcceptClause, parseAccept } from './accept.js';
import { type MediaType, SERIALIZERS, type Serializer } from './media-type.js';

export interface NegotiateOptions {
  /** Most preferred first. Default: {@link SERIALIZERS}. */
  readonly serializers?: readonly Serializer[];
  /**
   * Whether the endpoint can convert to `convert` (undefined: no conversion) in `mediaType`; if not, the clause is
   * skipped. Default: no conversions.
   */
  readonly allowsTransform?: (mediaType: string, convert: GroupVersionKind | undefined) => boolean;
}

/**
 * The representation for an Accept header; undefined means 406. An absent or empty header selects the first serializer.
 * Upstream: apiserver `negotiation.NegotiateMediaTypeOptions`.
 */
export function negotiate(accept: string | undefined, options: NegotiateOptions = {}): MediaType | undefined {
  const serializers = options.serializers ?? SERIALIZERS;
  const allows = options.allowsTransform ?? noTransform;
  const first = serializers[0];
  if ((accept === undefined || accept === '') && first !== undefined) {
    return { mediaType: first.mediaType, pretty: false, stream: '', convert: undefined, profile: '' };
  }
  for (const clause of parseAccept(accept ?? '')) {
    for (const serializer of serializers) {
      if (!matches(clause, serializer.mediaType)) continue;
      const mediaType = applyParameters(clause.parameters, serializer, allows);
      if (mediaType !== undefined) return mediaType;
    }
  }
  return undefined;
}

/**
 * The media type of a request body in lower case; undefined, which means 415, if it is malformed or not among
 * `mediaTypes`. No header selects the first. Upstream: apiserver `negotiation.NegotiateInputSerializer`.
 */
export function negotiateInput(contentType: string | undefined, mediaTypes: readonly string[]): string | undefined {
  if (contentType === undefined || contentType === '') return mediaTypes[0];
  const semicolon = contentType.indexOf(';');
  const mediaType = (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
  if (!mediaTypes.includes(mediaType)) return undefined;
  return semicolon < 0 || hasWellFormedParameters(contentType.slice(semicolon)) ? mediaType : undefined;
}

const parameter =
  /\s*;\s*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[^"\\\r\n]|\\.)*")\s*|$)/y;

/** Follows Go's `mime.ParseMediaType`: tokens or quoted strings, each name once; the last parameter may be empty. */
function hasWellFormedParameters(text: string): boolean {
  const seen = new Set<string>();
  for (parameter.lastIndex = 0; parameter.lastIndex < text.length; ) {
    const match = parameter.exec(text);
    if (match === null) return false;
    const name = match[1]?.toLowerCase();
    if (name === undefined) continue;
    if (seen.has(name)) return false;
    seen.add(name);
  }
  return true;
}

/** What resource endpoints allow: metadata in every media type, tables in JSON and YAML. */
export function allowsMetaTransform(mediaType: string, convert: GroupVersionKind | undefined): boolean {
  if (convert === undefined) return true;
  if (convert.group !== 'meta.k8s.io' || (convert.version !== 'v1' && convert.version !== 'v1beta1')) return false;
  if (convert.kind === 'Table') return mediaType === 'application/json' || mediaType === 'application/yaml';
  return convert.kind === 'PartialObjectMetadata' || convert.kind === 'PartialObjectMetadataList';
}

/**
 * Whether to indent a response: the `pretty` parameter decides, else whether the client looks like a browser or curl.
 * `value`: the parameter, undefined if absent or empty.
 */
export function isPretty(value: string | undefined, userAgent: string | undefined): boolean {
  if (value !== undefined && value !== '') return trueWords.has(value);
  return userAgent !== undefined && /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}

const trueWords: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

function noTransform(_mediaType: string, convert: GroupVersionKind | undefined): boolean {
  return convert === undefined;
}

function matches(clause: AcceptClause, mediaType: string): boolean {
  if (clause.type === '*') return clause.subtype === '*';
  if (clause.subtype === '*') return mediaType.startsWith(`${clause.type}/`);
  return mediaType === `${clause.type}/${clause.subtype}`;
}

function applyParameters(
  parameters: ReadonlyMap<string, string>,
  serializer: Serializer,
  allows: (mediaType: string, convert: GroupVersionKind | undefined) => boolean,
): MediaType | undefined {
  const kind = parameters.get('as');
  const group = parameters.get('g');
  const version = parameters.get('v');
  const converts = kind !== undefined || group !== undefined || version !== undefined;
  const convert = converts ? { group: group ?? '', version: version ?? '', kind: kind ?? '' } : undefined;
  const stream = parameters.get('stream') ?? '';
  if (stream !== '' && (stream !== 'watch' || !serializer.streams)) return undefined;
  // The only server version is that of the meta types.
  const serverVersion = parameters.get('sv') ?? '';
  if (serverVersion !== '' && serverVersion !== 'v1') return undefined;
  if (!allows(serializer.mediaType, convert)) return undefined;
  return {
    mediaType: serializer.mediaType,
    pretty: parameters.get('pretty') === '1',
    stream,
    convert,
    profile: parameters.get('profile') ?? '',
  };
}

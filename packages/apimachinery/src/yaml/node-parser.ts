import type { Steps } from '../work/index.js';
import { Depth } from './depth.js';
import type { ListNode, MapNode, ScalarNode, YamlNode } from './node.js';
import type { Token, TokenType } from './token.js';
import { Tokenizer } from './tokenizer.js';
import { parseError, YamlError } from './yaml-error.js';

/** Bounds the memory of the nodes: about 100 bytes for each. A manifest of this many nodes has several megabytes. */
const MAX_NODES = 400_000;
/** Longer tags have no meaning. A directive could give thousands of nodes a tag of a megabyte each. */
const TAG_MAXIMUM = 'tag:yaml.org,2002:timestamp'.length;
const MEANINGLESS_TAG = '!long';

const standardTags: readonly (readonly [handle: string, prefix: string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
];

interface Properties {
  readonly line: number;
  readonly anchor: string;
  readonly tag: string;
}

/** Parses the first document of a stream to nodes. Recurses as deep as the document. */
export class NodeParser {
  readonly #tokens: Tokenizer;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #tagPrefixes = new Map<string, string>();
  #token: Token = { type: 'stream-end', line: 0, text: '', handle: '', isPlain: false, key: undefined };
  readonly #depth = new Depth();
  #nodes = 0;

  constructor(text: string) {
    this.#tokens = new Tokenizer(text);
  }

  /** Undefined for an empty stream. Like upstream, reads one token after the root, which may be invalid. */
  *document(): Steps<YamlNode | undefined> {
    yield* this.#advance();
    if (this.#token.type === 'stream-end') return undefined;
    const hasDirectives = yield* this.#directives();
    if (!hasDirectives && this.#token.type !== 'document-start') return yield* this.#node(true);
    if (this.#token.type !== 'document-start') {
      throw parseError(this.#token.line, 'did not find expected <document start>');
    }
    yield* this.#advance();
    return endsDocument.has(this.#token.type) ? this.#empty(this.#token.line) : yield* this.#node(true);
  }

  *#advance(): Steps<void> {
    this.#token = yield* this.#tokens.next();
  }

  /** Whether the document has directives. */
  *#directives(): Steps<boolean> {
    let hasVersion = false;
    for (; ; yield* this.#advance()) {
      const { type, line, text, handle } = this.#token;
      if (type === 'version-directive') {
        if (hasVersion) throw parseError(line, 'found duplicate %YAML directive');
        if (text !== '1.1') throw parseError(line, 'found incompatible YAML document');
        hasVersion = true;
      } else if (type === 'tag-directive') {
        if (this.#tagPrefixes.has(handle)) throw parseError(line, 'found duplicate %TAG directive');
        this.#tagPrefixes.set(handle, text);
      } else break;
    }
    const hasDirectives = hasVersion || this.#tagPrefixes.size > 0;
    for (const [handle, prefix] of standardTags) {
      if (!this.#tagPrefixes.has(handle)) this.#tagPrefixes.set(handle, prefix);
    }
    return hasDirectives;
  }

  /** `inMap`: a list may have the indentation of the map around it, so no token starts it. */
  *#node(inBlock: boolean, inMap = false): Steps<YamlNode> {
    this.#count();
    if (this.#token.type === 'alias') return yield* this.#alias();
    this.#depth.enter();
    const node = yield* this.#content(yield* this.#properties(), inBlock, inMap);
    this.#depth.leave();
    return node;
  }

  *#alias(): Steps<YamlNode> {
    const { line, text: name } = this.#token;
    const target = this.#anchors.get(name);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${name}' referenced`);
    yield* this.#advance();
    return { kind: 'alias', line, name, target };
  }

  /** Reads an anchor and a tag, in any order. */
  *#properties(): Steps<Properties> {
    const { line } = this.#token;
    let anchor = '';
    let tag: Token | undefined;
    for (; ; yield* this.#advance()) {
      if (this.#token.type === 'anchor' && anchor === '') anchor = this.#token.text;
      else if (this.#token.type === 'tag' && tag === undefined) tag = this.#token;
      else return { line, anchor, tag: tag === undefined ? '' : this.#wholeTag(tag) };
    }
  }

  #wholeTag({ line, handle, text }: Token): string {
    if (handle === '') return text;
    const prefix = this.#tagPrefixes.get(handle);
    if (prefix === undefined) throw parseError(line, 'found undefined tag handle');
    return prefix.length + text.length > TAG_MAXIMUM ? MEANINGLESS_TAG : prefix + text;
  }

  *#content(properties: Properties, inBlock: boolean, inMap: boolean): Steps<YamlNode> {
    const { line, anchor, tag } = properties;
    const { type } = this.#token;
    if (type === 'scalar') {
      const { text, isPlain } = this.#token;
      const isImplicit = tag === '' ? isPlain : tag === '!';
      const scalar = this.#anchored<ScalarNode>(anchor, { kind: 'scalar', line, text, tag, isImplicit });
      yield* this.#advance();
      return scalar;
    }
    const isListInMap = inMap && type === 'block-entry';
    if (isListInMap || type === 'flow-list-start' || (inBlock && type === 'block-list-start')) {
      const list = this.#anchored<ListNode>(anchor, { kind: 'list', line, items: [] });
      if (isListInMap) yield* this.#listInMap(list);
      else if (type === 'flow-list-start') yield* this.#flowList(list);
      else yield* this.#blockList(list);
      return list;
    }
    if (type === 'flow-map-start' || (inBlock && type === 'block-map-start')) {
      const map = this.#anchored<MapNode>(anchor, { kind: 'map', line, keys: [], values: [] });
      if (type === 'flow-map-start') yield* this.#flowMap(map);
      else yield* this.#blockMap(map);
      return map;
    }
    if (anchor === '' && tag === '') throw parseError(this.#token.line, 'did not find expected node content');
    return this.#anchored<ScalarNode>(anchor, { kind: 'scalar', line, text: '', tag, isImplicit: tag === '' });
  }

  /** A collection has its anchor before its content, which may refer to it. */
  #anchored<T extends YamlNode>(anchor: string, node: T): T {
    if (anchor !== '') this.#anchors.set(anchor, node);
    return node;
  }

  *#blockList({ items }: ListNode): Steps<void> {
    yield* this.#advance();
    while (this.#token.type === 'block-entry') items.push(yield* this.#valueAfter(endsEntry));
    yield* this.#expect('block-end', "did not find expected '-' indicator");
  }

  *#listInMap({ items }: ListNode): Steps<void> {
    while (this.#token.type === 'block-entry') items.push(yield* this.#valueAfter(endsEntryInMap));
  }

  /** The node after an indicator, which is empty before one of the types `ends`. */
  *#valueAfter(ends: ReadonlySet<TokenType>, inBlock = true, inMap = false): Steps<YamlNode> {
    const { line } = this.#token;
    yield* this.#advance();
    // An empty value in a flow collection has the line of the next token.
    return ends.has(this.#token.type)
      ? this.#empty(inBlock ? line : this.#token.line)
      : yield* this.#node(inBlock, inMap);
  }

  *#blockMap({ keys, values }: MapNode): Steps<void> {
    yield* this.#advance();
    while (this.#token.type === 'key') {
      keys.push(yield* this.#valueAfter(endsPair, true, true));
      const hasValue = this.#isAt('value');
      values.push(hasValue ? yield* this.#valueAfter(endsPair, true, true) : this.#empty(this.#token.line));
    }
    yield* this.#expect('block-end', 'did not find expected key');
  }

  *#flowList({ items }: ListNode): Steps<void> {
    yield* this.#advance();
    while (this.#token.type !== 'flow-list-end') {
      if (items.length > 0) yield* this.#expect('flow-entry', "did not find expected ',' or ']'");
      if (this.#isAt('key')) items.push(yield* this.#pair());
      else if (!this.#isAt('flow-list-end')) items.push(yield* this.#node(false));
    }
    yield* this.#advance();
  }

  /** A map of one entry, which has no braces in a list. */
  *#pair(): Steps<MapNode> {
    const map: MapNode = { kind: 'map', line: this.#token.line, keys: [], values: [] };
    map.keys.push(yield* this.#valueAfter(endsKeyInList, false));
    const hasValue = this.#isAt('value');
    map.values.push(hasValue ? yield* this.#valueAfter(endsItem, false) : this.#empty(this.#token.line));
    return map;
  }

  *#flowMap({ keys, values }: MapNode): Steps<void> {
    yield* this.#advance();
    while (this.#token.type !== 'flow-map-end') {
      if (keys.length > 0) yield* this.#expect('flow-entry', "did not find expected ',' or '}'");
      if (this.#isAt('flow-map-end')) break;
      if (!this.#isAt('key')) {
        keys.push(yield* this.#node(false));
        values.push(this.#empty(this.#token.line));
        continue;
      }
      keys.push(yield* this.#valueAfter(endsKeyInMap, false));
      const hasValue = this.#isAt('value');
      values.push(hasValue ? yield* this.#valueAfter(endsValueInMap, false) : this.#empty(this.#token.line));
    }
    yield* this.#advance();
  }

  #empty(line: number): ScalarNode {
    this.#count();
    return { kind: 'scalar', line, text: '', tag: '', isImplicit: true };
  }

  #count(): void {
    if (++this.#nodes > MAX_NODES) throw new YamlError(`yaml: exceeded max of ${MAX_NODES} nodes`);
  }

  #isAt(type: TokenType): boolean {
    return this.#token.type === type;
  }

  /** Moves past a token that must be here. */
  *#expect(type: TokenType, problem: string): Steps<void> {
    if (!this.#isAt(type)) throw parseError(this.#token.line, problem);
    yield* this.#advance();
  }
}

const endsDocument: ReadonlySet<TokenType> = new Set([
  'version-directive',
  'tag-directive',
  'document-start',
  'document-end',
  'stream-end',
]);
const endsEntry: ReadonlySet<TokenType> = new Set(['block-entry', 'block-end']);
const endsEntryInMap: ReadonlySet<TokenType> = new Set(['block-entry', 'key', 'value', 'block-end']);
const endsPair: ReadonlySet<TokenType> = new Set(['key', 'value', 'block-end']);
const endsKeyInList: ReadonlySet<TokenType> = new Set(['value', 'flow-entry', 'flow-list-end']);
const endsItem: ReadonlySet<TokenType> = new Set(['flow-entry', 'flow-list-end']);
const endsKeyInMap: ReadonlySet<TokenType> = new Set(['value', 'flow-entry', 'flow-map-end']);
const endsValueInMap: ReadonlySet<TokenType> = new Set(['flow-entry', 'flow-map-end']);

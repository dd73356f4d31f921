import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type JsonObject, type JsonValue, setOwn, TextLimit } from '../json/index.js';
import { quoteGo } from '../status/index.js';
import { AliasBudget, resolveAliases } from './aliases.js';
import { formatFloat32 } from './format-float.js';
import { type Resolved, resolvePlain, resolveTagged } from './resolve.js';
import { YamlError } from './yaml-error.js';

interface Key {
  readonly text: string;
  /** The tag and value of a key that is no string: 1, "1" and 1.0 are three keys. Undefined for a string. */
  readonly identity?: string;
  /** NaN equals nothing. */
  readonly isNaN?: boolean;
}

interface FilledObject {
  readonly object: JsonObject;
  /** Keys that are strings. They have a set of their own, because a prefix would copy each of them. */
  readonly strings: Set<string>;
  /** The identities of the other keys. */
  readonly others: Set<string>;
}

/** Converts the nodes of a document to JSON values by upstream's rules. Recurses as deep as the document. */
export class NodeConverter {
  readonly #lines: LineCounter;
  readonly #budget = new AliasBudget();
  readonly #open = new Set<Node>();
  readonly #duplicates: string[] = [];
  readonly #duplicatesLimit = new TextLimit();
  #targets: ReadonlyMap<Node, Node> = new Map();

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  convert(root: Node | null): { value: JsonValue; strictErrors: string[] } {
    this.#targets = resolveAliases(root);
    const value = this.#node(root);
    const strictErrors =
      this.#duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${this.#duplicates.join('\n  ')}`];
    return { value, strictErrors };
  }

  #node(node: unknown): JsonValue {
    this.#budget.spend();
    if (isScalar(node)) return jsonOf(this.#scalar(node));
    if (isMap(node)) return this.#map(node);
    if (isSeq(node)) return this.#list(node);
    if (isAlias(node)) return this.#alias(node, node.source, (target) => this.#node(target));
    return null;
  }

  #scalar(node: Scalar): Resolved {
    const text = typeof node.value === 'string' ? node.value : '';
    this.#budget.spendText(text.length);
    return resolveScalar(node, text);
  }

  #alias<T>(alias: Node, name: string, use: (target: Node) => T): T {
    const target = this.#targets.get(alias);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${name}' referenced`);
    if (this.#open.has(alias)) throw new YamlError(`yaml: anchor '${name}' value contains itself`);
    this.#open.add(alias);
    this.#budget.enter();
    const result = use(target);
    this.#budget.leave();
    this.#open.delete(alias);
    return result;
  }

  #list(list: YAMLSeq): JsonValue[] {
    return list.items.map((item) => this.#node(item));
  }

  #map(map: YAMLMap): JsonObject {
    const filled: FilledObject = { object: {}, strings: new Set(), others: new Set() };
    this.#fill(filled, map);
    return filled.object;
  }

  #fill(filled: FilledObject, map: YAMLMap): void {
    for (const pair of map.items) {
      if (isScalar(pair.key) && isPlain(pair.key) && pair.key.value === '<<') {
        this.#merge(filled, pair.value);
        continue;
      }
      const key = this.#key(pair.key);
      const value = this.#node(pair.value);
      if (!addKey(filled, key)) this.#addDuplicate(key, isRanged(pair.value) ? pair.value : pair.key);
      setOwn(filled.object, key.text, value);
    }
  }

  #addDuplicate(key: Key, place: unknown): void {
    if (this.#duplicatesLimit.isReached) return;
    const line = isRanged(place) ? this.#lines.linePos(place.range[0]).line : 1;
    const text = `line ${line}: key ${key.identity === undefined ? quoteGo(key.text) : key.text} already set in map`;
    if (this.#duplicatesLimit.admits(text)) this.#duplicates.push(text);
  }

  /** Merged keys do not replace existing ones; of several maps the first wins. */
  #merge(filled: FilledObject, value: unknown): void {
    this.#budget.spend();
    if (isMap(value)) this.#fill(filled, value);
    else if (isAlias(value)) this.#alias(value, value.source, (target) => this.#mergeOne(filled, target));
    else if (isSeq(value)) {
      for (const item of value.items.toReversed()) {
        if (isAlias(item)) this.#alias(item, item.source, (target) => this.#mergeOne(filled, target));
        else this.#mergeOne(filled, item);
      }
    } else throw wantsMap();
  }

  #mergeOne(filled: FilledObject, node: unknown): void {
    this.#budget.spend();
    if (!isMap(node)) throw wantsMap();
    this.#fill(filled, node);
  }

  #key(node: unknown): Key {
    if (isAlias(node)) return this.#alias(node, node.source, (target) => this.#key(target));
    this.#budget.spend();
    if (isMap(node) || isSeq(node)) throw new YamlError('yaml: invalid map key: a list or map');
    const resolved: Resolved = isScalar(node) ? this.#scalar(node) : { tag: '!!null', value: null };
    const { value } = resolved;
    if (value === null) throw new YamlError('unsupported map key of type: %!s(<nil>), key: <nil>');
    if (typeof value === 'string') return { text: value };
    const text = resolved.tag === '!!float' ? formatFloat32(resolved.value) : String(value);
    return { text, identity: `${resolved.tag} ${value}`, isNaN: Number.isNaN(value) };
  }
}

/** Whether the object did not have the key. */
function addKey({ strings, others }: FilledObject, { text, identity, isNaN = false }: Key): boolean {
  if (isNaN) return true;
  const keys = identity === undefined ? strings : others;
  const size = keys.size;
  return keys.add(identity ?? text).size > size;
}

function wantsMap(): YamlError {
  return new YamlError('yaml: map merge requires map or sequence of maps as the value');
}

function isPlain(scalar: Scalar): boolean {
  return scalar.type === 'PLAIN' && scalar.tag === undefined;
}

function resolveScalar(scalar: Scalar, text: string): Resolved {
  const tag = scalar.tag?.replace(/^tag:yaml\.org,2002:/, '!!');
  switch (tag) {
    case undefined:
      return scalar.type === 'PLAIN' || scalar.type === undefined ? resolvePlain(text) : { tag: '!!str', value: text };
    case '!!bool':
    case '!!int':
    case '!!float':
    case '!!null':
      return resolveTagged(tag, text);
    case '!!binary':
      return { tag: '!!str', value: decodeBinary(text) };
    default:
      return { tag: '!!str', value: text };
  }
}

function decodeBinary(text: string): string {
  const compact = text.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
    throw new YamlError('yaml: !!binary value contains invalid base64 data');
  }
  return Buffer.from(compact, 'base64').toString('utf8');
}

/**
 * The value after upstream's detour through JSON text: whole doubles become integers, and integers beyond int64
 * doubles.
 */
function jsonOf(resolved: Resolved): JsonValue {
  const { value } = resolved;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) {
      const text = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
      throw new YamlError(`json: unsupported value: ${text}`);
    }
    // Below 1e21, the text of a whole double has neither a fraction nor an exponent.
    if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= 2 ** 63) return value + 0;
    return BigInt(String(value));
  }
  return typeof value === 'bigint' && BigInt.asIntN(64, value) !== value ? Number(value) : value;
}

function isRanged(node: unknown): node is { range: readonly [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}

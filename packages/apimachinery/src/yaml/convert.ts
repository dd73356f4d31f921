import { type JsonObject, type JsonValue, setOwn, TextLimit } from '../json/index.js';
import { quoteGo, shortenValue } from '../status/index.js';
import type { Steps } from '../work/index.js';
import { AliasBudget } from './aliases.js';
import { Depth } from './depth.js';
import { formatFloat32 } from './format-float.js';
import { goSyntax } from './go-syntax.js';
import type { AliasNode, ListNode, MapNode, ScalarNode, YamlNode } from './node.js';
import { type Resolved, resolvePlain, resolveTagged, resolveTimestamp } from './resolve.js';
import { YamlError } from './yaml-error.js';

/** About a millisecond of work. */
const NODES_PER_STEP = 2000;

interface Key {
  readonly text: string;
  /** The tag and value of a key that is not a string: 1, "1" and 1.0 are three keys. Undefined for a string. */
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

/** Converts the nodes of a document to JSON values by upstream's rules. Recurses as deep as the value. */
export class NodeConverter {
  readonly #budget = new AliasBudget();
  /** An alias may make the value deeper than the document. */
  readonly #depth = new Depth();
  readonly #open = new Set<AliasNode>();
  readonly #duplicates: string[] = [];
  readonly #duplicatesLimit = new TextLimit();
  /** The value of a key that is null. Upstream reports it only after it has read the whole document. */
  #valueOfNull: JsonValue | undefined;
  #visited = 0;

  *convert(root: YamlNode): Steps<{ value: JsonValue; strictErrors: string[] }> {
    const value = yield* this.#node(root);
    if (this.#valueOfNull !== undefined) {
      const shown = shortenValue(yield* goSyntax(this.#valueOfNull));
      throw new YamlError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`);
    }
    const strictErrors =
      this.#duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${this.#duplicates.join('\n  ')}`];
    return { value, strictErrors };
  }

  *#node(node: YamlNode): Steps<JsonValue> {
    this.#budget.spend();
    if (++this.#visited % NODES_PER_STEP === 0) yield;
    switch (node.kind) {
      case 'scalar':
        return jsonOf(this.#scalar(node));
      case 'map':
        return yield* this.#map(node);
      case 'list':
        return yield* this.#list(node);
      default:
        return yield* this.#alias(node, (target) => this.#node(target));
    }
  }

  #scalar(node: ScalarNode): Resolved {
    this.#budget.spendText(node.text.length);
    return resolveScalar(node);
  }

  *#alias<T>(alias: AliasNode, use: (target: YamlNode) => Steps<T>): Steps<T> {
    if (this.#open.has(alias)) throw new YamlError(`yaml: anchor '${alias.name}' value contains itself`);
    this.#open.add(alias);
    this.#budget.enter();
    const result = yield* use(alias.target);
    this.#budget.leave();
    this.#open.delete(alias);
    return result;
  }

  *#list({ items }: ListNode): Steps<JsonValue[]> {
    const list: JsonValue[] = [];
    this.#depth.enter();
    for (const item of items) list.push(yield* this.#node(item));
    this.#depth.leave();
    return list;
  }

  *#map(map: MapNode): Steps<JsonObject> {
    const filled: FilledObject = { object: {}, strings: new Set(), others: new Set() };
    yield* this.#fill(filled, map);
    return filled.object;
  }

  *#fill(filled: FilledObject, { keys, values }: MapNode): Steps<void> {
    this.#depth.enter();
    for (const [index, keyNode] of keys.entries()) {
      const valueNode = values[index] ?? keyNode;
      if (isMergeKey(keyNode)) {
        yield* this.#merge(filled, valueNode);
        continue;
      }
      const key = yield* this.#key(keyNode);
      const value = yield* this.#node(valueNode);
      if (key === undefined) {
        this.#valueOfNull ??= value;
        continue;
      }
      if (!addKey(filled, key)) this.#addDuplicate(key, valueNode.line);
      setOwn(filled.object, key.text, value);
    }
    this.#depth.leave();
  }

  #addDuplicate(key: Key, line: number): void {
    if (this.#duplicatesLimit.isReached) return;
    const shown = key.identity === undefined ? quoteGo(key.text) : key.text;
    const text = `line ${line + 1}: key ${shown} already set in map`;
    if (this.#duplicatesLimit.admits(text)) this.#duplicates.push(text);
  }

  /** Merged keys do not replace existing ones; of several maps the first wins. */
  *#merge(filled: FilledObject, value: YamlNode): Steps<void> {
    this.#budget.spend();
    if (value.kind === 'list') {
      for (const item of value.items.toReversed()) yield* this.#mergeOne(filled, item);
    } else yield* this.#mergeOne(filled, value);
  }

  *#mergeOne(filled: FilledObject, node: YamlNode): Steps<void> {
    this.#budget.spend();
    if (node.kind === 'map') yield* this.#fill(filled, node);
    else if (node.kind === 'alias' && node.target.kind === 'map') {
      const { target } = node;
      yield* this.#alias(node, () => this.#fill(filled, target));
    } else throw wantsMap();
  }

  /** Undefined for null. */
  *#key(node: YamlNode): Steps<Key | undefined> {
    if (node.kind === 'alias') return yield* this.#alias(node, (target) => this.#key(target));
    if (node.kind !== 'scalar') {
      throw new YamlError(`yaml: invalid map key: ${shortenValue(yield* goSyntax(yield* this.#node(node)))}`);
    }
    this.#budget.spend();
    if (++this.#visited % NODES_PER_STEP === 0) yield;
    const resolved = this.#scalar(node);
    const { value } = resolved;
    if (value === null) return undefined;
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

function isMergeKey(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.text === '<<' && (node.isImplicit || shortTag(node.tag) === '!!merge');
}

function shortTag(tag: string): string {
  return tag.replace(/^tag:yaml\.org,2002:/, '!!');
}

function resolveScalar({ text, tag, isImplicit }: ScalarNode): Resolved {
  switch (shortTag(tag)) {
    case '':
      return isImplicit ? resolvePlain(text) : { tag: '!!str', value: text };
    case '!!bool':
    case '!!int':
    case '!!float':
    case '!!null':
      return resolveTagged(shortTag(tag), text);
    case '!!timestamp':
      return resolveTimestamp(text);
    case '!!binary':
      return { tag: '!!str', value: decodeBinary(text) };
    default:
      return { tag: '!!str', value: text };
  }
}

function decodeBinary(text: string): string {
  const compact = text.replaceAll('\n', '').replaceAll('\r', '');
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) {
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

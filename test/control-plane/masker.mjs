/** Replaces what differs between two plays of a scenario by symbols. */
import { isEmpty, project } from './project.mjs';

const dropped = new Set([
  'uid',
  'resourceVersion',
  'managedFields',
  'creationTimestamp',
  'selfLink',
  'lastTransitionTime',
  'lastUpdateTime',
  'lastProbeTime',
  'lastHeartbeatTime',
  'endpoints.kubernetes.io/last-change-trigger-time',
]);

/** Lists whose order has no meaning. */
const unordered = new Set([
  'taints',
  'finalizers',
  'ownerReferences',
  'endpoints',
  'subsets',
  'addresses',
  'notReadyAddresses',
  'ports',
]);

const ports = new Set(['nodePort', 'healthCheckNodePort']);

const patterns = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? \+0000 UTC( m=\S+)?/g, '<time>'],
  [/-[23]\d{7}\b/g, '-<minute>'],
];
/** Digits and consonants of `rand.SafeEncodeString`, which makes hashes of templates and revisions. */
const hash = /(?<![a-z0-9<.])[4-9bcdf]{6,10}(?![a-z0-9>])/g;
const laterPatterns = [
  [/(?<=[a-z0-9>])-[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])/g, '-<rand>'],
  [/\b(\d{1,3}\.){3}\d{1,3}\b(?!\/)/g, '<ip>'],
  [/fakeRuntime:\/\/\S+|fake:\/\/\S+|containerd:\/\/[0-9a-f]{64}\b/g, '<container>'],
  // Upstream lists them in the order of a map.
  [/(controlled by multiple HPAs: \[)([^\]]*)/, (_, start, list) => start + list.split(' ').sort().join(' ')],
];

const replaceAll = (text, replacements) =>
  replacements.reduce((result, [pattern, symbol]) => result.replace(pattern, symbol), text);

export const byText = (a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

export class Masker {
  #play;
  #hashes = new Map();
  /** The UIDs of each name, in the order in which snapshots saw them. */
  #incarnations = new Map();

  /** `play`: `{ namespace, unique, nodes, ownsNodes, namesNodes }`. */
  constructor(play) {
    this.#play = play;
  }

  /** `numbers` gives a new hash the next number; otherwise only hashes that have one are told apart. */
  text(text, numbers = false) {
    const { namespace, unique, nodes, ownsNodes, namesNodes } = this.#play;
    let masked = text.replaceAll(namespace, '<ns>').replaceAll(unique, '<u>');
    masked = replaceAll(masked, patterns).replace(hash, (found) => this.#symbolOf(found, numbers));
    masked = replaceAll(masked, laterPatterns);
    // Other scenarios bring nodes too.
    if (!ownsNodes)
      masked = masked.replace(/\b0\/\d+ nodes are available: .*/s, '0/<n> nodes are available: <reasons>');
    for (const [index, node] of nodes.entries())
      masked = masked.replaceAll(node, namesNodes ? `<node${index}>` : '<node>');
    return masked;
  }

  #symbolOf(found, numbers) {
    if (!numbers) return this.#hashes.get(found) ?? '<hash>';
    if (!this.#hashes.has(found)) this.#hashes.set(found, `<hash${this.#hashes.size + 1}>`);
    return this.#hashes.get(found);
  }

  value(value, numbers = false, name) {
    if (Array.isArray(value)) return this.#list(value, numbers, name);
    if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value)
        .filter(([field]) => !dropped.has(field))
        .map(([field, inner]) => [this.text(field, numbers), this.value(inner, numbers, field)]);
      return Object.fromEntries(fields.filter(([field, inner]) => field !== 'annotations' || !isEmpty(inner)));
    }
    if (ports.has(name)) return '<port>';
    return typeof value === 'string' ? this.text(value, numbers) : value;
  }

  #list(list, numbers, name) {
    const masked = list.map((each) => this.value(each, numbers));
    if (name === 'conditions') return masked.sort((a, b) => byText(a.type, b.type));
    return unordered.has(name) ? masked.sort(byText) : masked;
  }

  /** The objects of a snapshot, ordered by content, so that hashes get the same numbers in every play. */
  objects(kind, objects, isWhole) {
    const entries = objects.map((object) => {
      const kept = inOrder(project(kind, object, isWhole));
      return { object, kept, content: JSON.stringify(this.value(kept)) };
    });
    entries.sort((a, b) => (a.content < b.content ? -1 : Number(a.content > b.content)));
    return entries.map(({ object, kept }) => {
      const masked = this.value(kept, true);
      const { name, uid } = object.metadata;
      if (!/<(rand|hash)/.test(masked.metadata.name)) {
        masked.metadata.uid = this.#incarnation(`${kind}/${name}`, uid);
      }
      return masked;
    });
  }

  #incarnation(key, uid) {
    const seen = this.#incarnations.get(key) ?? [];
    if (!seen.includes(uid)) seen.push(uid);
    this.#incarnations.set(key, seen);
    return `<uid ${seen.indexOf(uid) + 1}>`;
  }
}

/** The value with the fields of all objects in alphabetical order. */
function inOrder(value) {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return Object.fromEntries(names.sort().map((name) => [name, inOrder(value[name])]));
}

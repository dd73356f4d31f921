/** Whose CPU a profile of Node.js shows: shares of our rooms, of Node.js and of the garbage collector. */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** By package and room, as in `apimachinery/json`. Rooms that no group names are "other". */
const GROUPS = [
  [
    'HTTP, TLS',
    /^apiserver\/http$|^node (internal\/)?(js_stream_socket|stream|streams|net|tls|_tls|http2|buffer|events)/,
  ],
  ['JSON', /^apimachinery\/(json|yaml)$/],
  [
    'decoding, defaults, encoding',
    /^apimachinery\/(serializer|quantity)$|^api\/(defaults|conversion)$|^apiserver\/codec$/,
  ],
  ['managed fields', /^apimachinery\/managedfields$/],
  ['validation', /^(api|apimachinery)\/validation$/],
  ['admission', /^apiserver\/(admission|policies|admissionwebhooks)$/],
  ['store, events', /^kv\/|^lmdb|^apiserver\/(storage|cacher|registry)$/],
  ['garbage collection', /^\(garbage collector\)$/],
];

export const OTHER = 'other';
export const groupNames = [...GROUPS.map(([name]) => name), OTHER];

/**
 * `file`: a profile of a server that runs from the bundle. `interval`: its part, as milliseconds of the system's monotonic clock. Returns the share
 * of each group in the time that the main thread was busy.
 */
export function sharesOf(file, [from, to]) {
  const { nodes, samples, timeDeltas, startTime } = JSON.parse(readFileSync(file, 'utf8'));
  const groupOf = groupsOf(nodes);
  const sums = Object.fromEntries(groupNames.map((name) => [name, 0]));
  let [time, busy] = [startTime, 0];
  for (const [index, id] of samples.entries()) {
    time += timeDeltas[index];
    const group = groupOf.get(id);
    if (time < from * 1000 || time > to * 1000 || group === undefined) continue;
    sums[group] += timeDeltas[index];
    busy += timeDeltas[index];
  }
  return Object.fromEntries(groupNames.map((name) => [name, sums[name] / busy]));
}

/** By the id of each node; idle ones are left out. Native functions belong to their callers. */
function groupsOf(nodes) {
  const sources = new SourceFiles();
  const groups = new Map();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = ({ id, callFrame, children = [] }, ofCaller) => {
    const group =
      callFrame.url === '' ? ofNative(callFrame.functionName, ofCaller) : groupOf(sources.roomOf(callFrame));
    if (callFrame.functionName !== '(idle)') groups.set(id, group);
    for (const child of children) visit(byId.get(child), group);
  };
  visit(nodes[0], OTHER);
  return groups;
}

function ofNative(functionName, ofCaller) {
  return functionName.startsWith('(') ? groupOf(functionName) : ofCaller;
}

function groupOf(room) {
  return GROUPS.find(([, rooms]) => rooms.test(room))?.[0] ?? OTHER;
}

class SourceFiles {
  #maps = new Map();

  roomOf({ url, lineNumber, columnNumber }) {
    if (!url.startsWith('file:')) return url.replace('node:', 'node ');
    const source = this.#mapOf(fileURLToPath(url))?.findEntry(lineNumber, columnNumber).originalSource ?? url;
    const [, room] = /([a-z]+\/src\/[a-z0-9]+)\//.exec(source) ?? /node_modules\/([^/]+)/.exec(source) ?? [];
    return room?.replace('/src/', '/') ?? source;
  }

  #mapOf(file) {
    const path = `${file}.map`;
    if (!this.#maps.has(path)) {
      this.#maps.set(path, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined);
    }
    return this.#maps.get(path);
  }
}

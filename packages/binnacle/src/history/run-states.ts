import { changesBetween } from '@binnacle/apimachinery/differences';
import { isObject, type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { stringifyYamlForFile } from '@binnacle/apimachinery/yaml';
import type { Target } from './history-client.js';
import { HistoryReader } from './history-reader.js';
import type { HistoryParts } from './parts.js';
import { changeLines } from './printed.js';
import { readEach } from './unless-forbidden.js';
import type { Point } from './requests/point.js';
import type { RequestOf } from './requests/request.js';

/** Prints what differs between two points. */
export async function runDiff({ from, to, target, scope }: RequestOf<'diff'>, parts: HistoryParts): Promise<void> {
  const reader = new HistoryReader(parts);
  await readEach(await reader.targets(target, scope), target, async (each) => {
    const [before, after] = await Promise.all([stateAt(reader, each, from), stateAt(reader, each, to)]);
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const lines = changeLines(changesBetween(before.get(key), after.get(key)));
      if (lines.length > 0) await parts.print(`${key}\n${lines.join('\n')}\n`);
    }
  });
}

/** Prints objects as they were. */
export async function runGet({ target, scope, at, output }: RequestOf<'get'>, parts: HistoryParts): Promise<void> {
  const reader = new HistoryReader(parts);
  const objects = await reader.objectsAt(await reader.target(target, scope), at);
  const [only] = objects;
  if (target.name !== undefined && only === undefined)
    throw new Error(`there was no ${target.kind}/${target.name} then`);
  const document =
    target.name !== undefined && only !== undefined ? only : { apiVersion: 'v1', kind: 'List', items: objects };
  await parts.print(output === 'json' ? `${stringifyJson(document)}\n` : stringifyYamlForFile(document));
}

/** Prints objects as they were, for another server. */
export async function runExport(
  { target, scope, at, withSecrets }: RequestOf<'export'>,
  parts: HistoryParts,
): Promise<void> {
  if (at === undefined) throw new TypeError('objects are printed as they were at a point');
  const reader = new HistoryReader(parts);
  const isExported = (each: Target): boolean => target !== undefined || withSecrets || !isOfSecrets(each);
  const targets = (await reader.targets(target, scope)).filter(isExported);
  await readEach(targets, target, async (each) => {
    for (const object of await reader.objectsAt(each, at))
      await parts.print(`---\n${stringifyYamlForFile(portable(object))}`);
  });
}

/** The objects by a key that names them to the user. */
async function stateAt(reader: HistoryReader, target: Target, point: Point): Promise<Map<string, JsonObject>> {
  const keyOf = ({ metadata }: JsonObject): string => {
    const { namespace, name } = isObject(metadata) ? metadata : {};
    return [target.resource.resource.resource, namespace, name].filter((part) => typeof part === 'string').join('/');
  };
  const objects = await reader.objectsAt(target, point);
  return new Map(objects.map((object) => [keyOf(object), object]));
}

/** Without the fields that a server sets, so that another one can create the object. */
function portable(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata)) return object;
  const {
    resourceVersion: _,
    uid: __,
    creationTimestamp: ___,
    managedFields: ____,
    generation: _____,
    ...rest
  } = metadata;
  return { ...object, metadata: rest };
}

const isOfSecrets = ({ resource: { kind } }: Target): boolean => kind.group === '' && kind.kind === 'Secret';

import { createWriteStream } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { parseYaml, stringifyYamlForFile } from '@binnacle/apimachinery/yaml';
import {
  readScenario,
  reportOf,
  type Scenario,
  ScenarioError,
  simulate as play,
  type SimulationResult,
} from '@binnacle/simulation';
import { readText } from '../../files/index.js';
import { parseDocuments } from '../../types/index.js';
import type { SimulateRequest } from '../arguments/simulate-request.js';
import { printFailure } from './print-message.js';

/** How many events are shown before the objects. */
const SHOWN = 40;
/** They would be most of the objects. */
const LEFT_OUT: ReadonlySet<string> = new Set(['Event', 'Lease', 'ClusterRole', 'ClusterRoleBinding']);

/** `binnacle simulate`: resolves with the exit code: 0 if every invariant held with every seed. */
export async function simulate(request: SimulateRequest): Promise<number> {
  try {
    const scenario = await scenarioOf(request.file);
    let failed = 0;
    for (let seed = request.seed; seed < request.seed + request.seeds; seed++) {
      const result = await playSeed(scenario, seed, request);
      process.stdout.write(request.until === undefined ? reportOf(result) : stateOf(result));
      if (result.failure !== undefined) failed++;
    }
    return failed === 0 ? 0 : 1;
  } catch (error) {
    printFailure(error);
    return 1;
  }
}

async function playSeed(scenario: Scenario, seed: number, request: SimulateRequest): Promise<SimulationResult> {
  const { nodes, until, history } = request;
  const given = {
    seed,
    scenario,
    ...(nodes === undefined ? {} : { nodes }),
    ...(until === undefined ? {} : { stopBefore: until }),
  };
  if (history === undefined) return play(given);
  const file = createWriteStream(history);
  const written = finished(file);
  const result = await play({ ...given, write: (line) => void file.write(line) }).finally(() => file.end());
  await written;
  return result;
}

/** The last events and the objects after them. */
function stateOf({ history, state, seed, steps }: SimulationResult): string {
  const shown = [...state.objects()].filter(({ kind }) => !LEFT_OUT.has(kind));
  const objects = shown.map((object) => `---\n${stringifyYamlForFile(asJson(object))}`);
  return `${history
    .slice(-SHOWN)
    .map((line) => `# ${line}\n`)
    .join('')}# seed ${seed} after event #${steps}:\n${objects.join('')}`;
}

async function scenarioOf(file: string): Promise<Scenario> {
  const { value, strictErrors } = parseYaml(await readText(file));
  if (strictErrors.length > 0) throw new ScenarioError(`${file}: ${strictErrors.join(', ')}`);
  return readScenario(await withManifests(value, dirname(file)));
}

/** Replaces `applyFiles` of actions, paths beside the scenario, by the objects in them. */
async function withManifests(value: JsonValue, folder: string): Promise<JsonValue> {
  if (!isObject(value) || !Array.isArray(value['actions'])) return value;
  const actions = await Promise.all(value['actions'].map((action) => withObjects(action, folder)));
  return { ...value, actions };
}

async function withObjects(action: JsonValue, folder: string): Promise<JsonValue> {
  if (!isObject(action) || action['applyFiles'] === undefined) return action;
  const { applyFiles: files, ...rest } = action;
  if (!Array.isArray(files) || !files.every((each) => typeof each === 'string') || rest['apply'] !== undefined) {
    throw new ScenarioError('applyFiles: must be a list of paths, without apply beside it');
  }
  const objects: JsonObject[] = [];
  for (const file of files) objects.push(...parseDocuments(file, await readText(resolve(folder, file))));
  return { ...rest, apply: objects };
}

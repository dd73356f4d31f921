import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { parseYaml, stringifyYaml } from '@binnacle/apimachinery/yaml';
import { putEntry, putScalar, removeEntries } from './entry-lines.js';

const lists = ['clusters', 'contexts', 'users'] as const;
const CURRENT = 'current-context';

/**
 * Adds the clusters, contexts and users of the kubeconfig `added` to the kubeconfig `text`, in place of those with the same names. The current
 * context becomes that of `added`. Throws an Error for a text that is not a kubeconfig.
 */
export function withEntries(text: string, added: string): string {
  const [value, addition] = [kubeconfigOf(text), kubeconfigOf(added)];
  const wanted: Record<string, JsonValue | undefined> = { apiVersion: 'v1', kind: 'Config', ...value };
  let edited: string | undefined = text.trim() === '' ? `apiVersion: v1\nkind: Config\n` : text;
  for (const list of lists) {
    for (const entry of entriesOf(addition, list)) {
      const name = nameOf(entry);
      const present = entriesOf(wanted, list);
      const at = present.findIndex((each) => nameOf(each) === name);
      wanted[list] = at < 0 ? [...present, entry] : present.with(at, entry);
      edited = edited && putEntry(edited, list, name, stringifyYaml([entry]));
    }
  }
  const current = addition[CURRENT] ?? '';
  wanted[CURRENT] = current;
  return checked(edited && putScalar(edited, CURRENT, current), wanted);
}

/**
 * Removes the clusters, contexts and users named `name` from the kubeconfig `text`. A current context of that name becomes empty.
 * Throws an Error for a text that is not a kubeconfig.
 */
export function withoutEntries(text: string, name: string): string {
  const value = kubeconfigOf(text);
  const wanted: Record<string, JsonValue | undefined> = { ...value };
  let edited: string | undefined = text;
  for (const list of lists) {
    const present = entriesOf(value, list);
    const kept = present.filter((entry) => nameOf(entry) !== name);
    if (kept.length === present.length) continue;
    wanted[list] = kept;
    edited = edited && removeEntries(edited, list, name);
  }
  if (value[CURRENT] === name) {
    wanted[CURRENT] = '';
    edited = edited && putScalar(edited, CURRENT, '');
  }
  return isDeepStrictEqual(wanted, value) ? text : checked(edited, wanted);
}

/** The edited text, or the wanted value as YAML if the edits did not produce that value. */
function checked(edited: string | undefined, wanted: JsonObject): string {
  if (edited !== undefined && isDeepStrictEqual(valueOf(edited), wanted)) return edited;
  return stringifyYaml(wanted);
}

function valueOf(text: string): JsonValue | undefined {
  try {
    const { value, strictErrors } = parseYaml(text);
    return strictErrors.length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

function kubeconfigOf(text: string): JsonObject {
  const { value } = parseYaml(text);
  if (value === null) return {};
  if (!isObject(value)) throw new Error('it is not a kubeconfig');
  const wrong = lists.find((list) => value[list] !== undefined && value[list] !== null && !Array.isArray(value[list]));
  if (wrong !== undefined) throw new Error(`it is not a kubeconfig: its ${wrong} are not a list`);
  return value;
}

function entriesOf(value: JsonObject, list: string): readonly JsonValue[] {
  const entries = value[list];
  return Array.isArray(entries) ? entries : [];
}

function nameOf(entry: JsonValue): string | undefined {
  const name = isObject(entry) ? entry['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

import { messageOf } from '@binnacle/apimachinery/errors';
import { getOwn, isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { ALL_AUTHENTICATED } from '../authentication/index.js';
import type { AbacPolicy } from '../authorization/index.js';

const VERSION = 'abac.authorization.kubernetes.io/v1beta1';
const TEXTS = ['user', 'group', 'apiGroup', 'resource', 'namespace', 'nonResourcePath'] as const;
const ALL = '*';

/**
 * Parses a policy file: a JSON object of the kind Policy on each line, `#` for comments. Throws an Error that names the
 * line. Upstream: kubernetes `pkg/auth/authorizer/abac`, whose policies without a version are refused here.
 */
export function parsePolicyFile(text: string): readonly AbacPolicy[] {
  return text.split('\n').flatMap((line, index) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    try {
      return parsePolicy(trimmed);
    } catch (error) {
      throw new Error(`line ${index + 1}: ${messageOf(error)}`, { cause: error });
    }
  });
}

function parsePolicy(line: string): AbacPolicy {
  const { value, duplicates } = parseJson(Buffer.from(line));
  if (!isObject(value)) throw new Error('a policy must be a JSON object');
  const [duplicate] = duplicates;
  if (duplicate !== undefined) throw new Error(`the field ${JSON.stringify(duplicate)} occurs twice`);
  if (getOwn(value, 'apiVersion') !== VERSION || getOwn(value, 'kind') !== 'Policy') {
    throw new Error(`a policy must have the apiVersion ${VERSION} and the kind Policy`);
  }
  refuseOthers(value, ['apiVersion', 'kind', 'spec'], '');
  const spec = getOwn(value, 'spec') ?? {};
  if (!isObject(spec)) throw new Error('spec must be an object');
  refuseOthers(spec, ['readonly', ...TEXTS], 'spec.');
  const readonly = getOwn(spec, 'readonly') ?? false;
  if (typeof readonly !== 'boolean') throw new Error('spec.readonly must be a boolean');
  const [user, group, apiGroup, resource, namespace, nonResourcePath] = TEXTS.map((name) => textIn(spec, name));
  const everyone = user === ALL || group === ALL;
  return {
    user: user ?? '',
    // `*` matches every authenticated user, in either field.
    group: everyone ? ALL_AUTHENTICATED : (group ?? ''),
    readonly,
    apiGroup: apiGroup ?? '',
    resource: resource ?? '',
    namespace: namespace ?? '',
    nonResourcePath: nonResourcePath ?? '',
  };
}

/** Upstream ignores unknown fields. A policy whose condition is misspelt would allow too much. */
function refuseOthers(object: JsonObject, known: readonly string[], prefix: string): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`unknown field ${JSON.stringify(`${prefix}${unknown}`)}`);
}

function textIn(spec: JsonObject, name: string): string {
  const value = getOwn(spec, name) ?? '';
  if (typeof value !== 'string') throw new Error(`spec.${name} must be a string`);
  return value;
}

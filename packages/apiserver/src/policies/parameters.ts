import type { ParamKind, ParamRef } from '@binnacle/api/types/admissionregistration-v1';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { LabelSelectorError, labelSelectorFromObject } from '@binnacle/apimachinery/labels';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import type { ParameterSource, PolicySources } from './policy-sources.js';

/** A policy or binding cannot be evaluated as it is configured. The message has upstream's words. */
export class ConfigurationError extends Error {}

/** Throws {@link ConfigurationError} if no resource has the kind. Undefined for a policy without parameters. */
export function parameterSourceOf(kind: ParamKind | undefined, sources: PolicySources): ParameterSource | undefined {
  if (kind === undefined) return undefined;
  const found = sources.parameters(kind);
  if (found !== undefined) return found;
  const { group, version } = { group: '', version: '', ...parseGroupVersion(kind.apiVersion ?? '') };
  const shown = `${group}/${version}, Kind=${kind.kind ?? ''}`;
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${shown}'`);
}

/**
 * The parameters of a binding for a request in `namespace`. A binding without parameters has one that is undefined, so a
 * policy is evaluated once for each item. Throws {@link ConfigurationError}. Upstream: apiserver
 * `policy/generic/policy_dispatcher.go` CollectParams.
 */
export async function parametersOf(
  source: ParameterSource | undefined,
  reference: ParamRef | undefined,
  namespace: string,
): Promise<readonly (JsonObject | undefined)[]> {
  if (source === undefined || reference === undefined) return [undefined];
  const place = source.namespaced ? (reference.namespace ?? '') || namespace : '';
  if (source.namespaced && place === '') {
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  }
  if (!source.namespaced && (reference.namespace ?? '') !== '') {
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const found = await find(source, reference, place);
  if (found.length === 0 && reference.parameterNotFoundAction === 'Deny') {
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return found;
}

async function find(source: ParameterSource, { name = '', selector }: ParamRef, namespace: string) {
  if (name !== '') {
    const object = await source.find(namespace, name);
    return object === undefined ? [] : [object];
  }
  try {
    return await source.list(namespace, labelSelectorFromObject(selector ?? {}));
  } catch (error) {
    if (error instanceof LabelSelectorError) throw new ConfigurationError(error.message);
    throw error;
  }
}

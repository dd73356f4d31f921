import assert from 'node:assert/strict';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { anonymousUser } from '../../authentication/index.js';
import type { ObjectVersions } from '../object-versions.js';
import type { AdmissionAttributes, AdmissionPlugin, Operation } from '../plugin.js';
import { Reinvocation } from '../reinvocation.js';

export type Spec = Record<string, unknown>;

export function object(
  kind: string,
  spec: Spec = {},
  metadata: KubernetesObject['metadata'] = { name: 'a' },
): KubernetesObject {
  return { kind, apiVersion: 'v1', metadata, spec };
}

/** For plugins that only read objects in the storage version. */
export const unversioned: ObjectVersions = {
  equivalents: () => [],
  encode: () => assert.fail('not expected'),
  document: () => assert.fail('not expected'),
  decode: () => assert.fail('not expected'),
};

/** The attributes of a test request. Default: a create in the namespace `default`. */
export function request(
  resource: string,
  given: KubernetesObject | undefined,
  overrides: Partial<AdmissionAttributes> = {},
): AdmissionAttributes {
  const operation: Operation = overrides.operation ?? 'CREATE';
  return {
    operation,
    kind: { group: '', version: 'v1', kind: given?.kind ?? '' },
    resource: { group: '', version: 'v1', resource },
    subresource: '',
    namespace: 'default',
    name: 'a',
    object: given,
    oldObject: undefined,
    options: undefined,
    versions: unversioned,
    reinvocation: new Reinvocation(),
    dryRun: false,
    user: anonymousUser,
    signal: new AbortController().signal,
    deadline: Number.POSITIVE_INFINITY,
    warn: () => undefined,
    annotate: () => undefined,
    ...overrides,
  };
}

/** Runs a plugin's `admit` and returns the spec of the object. */
export async function admit(
  plugin: AdmissionPlugin,
  resource: string,
  given: KubernetesObject | undefined,
  overrides: Partial<AdmissionAttributes> = {},
): Promise<Spec> {
  const attributes = request(resource, given, overrides);
  if (plugin.handles(attributes.operation)) await plugin.admit?.(attributes);
  return (given?.spec ?? {}) as Spec;
}

/** Runs a plugin's `validate`. */
export async function validate(
  plugin: AdmissionPlugin,
  resource: string,
  given: KubernetesObject | undefined,
  overrides: Partial<AdmissionAttributes> = {},
): Promise<void> {
  const attributes = request(resource, given, overrides);
  if (plugin.handles(attributes.operation)) await plugin.validate?.(attributes);
}

import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { Reinvocation, type AdmissionAttributes } from '../admission/index.js';

const encoder = new TextEncoder();

/** The attributes of a create of a ConfigMap, which is its own and only version. */
export function attributesOf(
  object: KubernetesObject,
  overrides: Partial<AdmissionAttributes> = {},
): AdmissionAttributes {
  const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
  const resource = { group: '', version: 'v1', resource: 'configmaps' };
  return {
    operation: 'CREATE',
    kind,
    resource,
    subresource: '',
    namespace: 'default',
    name: 'a',
    object,
    oldObject: undefined,
    options: { kind: 'CreateOptions' },
    versions: {
      equivalents: () => [{ kind, resource }],
      encode: (each) => encoder.encode(JSON.stringify(each)),
      document: (each) => structuredClone(asJson(each)),
      decode: (document) => structuredClone(document) as unknown as KubernetesObject,
    },
    reinvocation: new Reinvocation(),
    dryRun: false,
    user: { name: 'jane', uid: 'u1', groups: ['dev'], extra: { team: ['blue'] } },
    signal: new AbortController().signal,
    deadline: Number.POSITIVE_INFINITY,
    warn: () => undefined,
    annotate: () => undefined,
    ...overrides,
  };
}

export function configMap(data: Record<string, string> = {}): KubernetesObject {
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data };
}

import {
  BOOL,
  DYN,
  INT,
  listOf,
  mapOf,
  type ObjectFields,
  objectType,
  parameterOf,
  STRING,
  TIMESTAMP,
  type Type,
} from '../cel/index.js';

/** Upstream: apiserver `pkg/admission/plugin/cel/compile.go` BuildRequestType. The objects are variables of their own. */
export const REQUEST_TYPE = object('kubernetes.AdmissionRequest', {
  kind: groupVersion('kubernetes.GroupVersionKind', 'kind'),
  resource: groupVersion('kubernetes.GroupVersionResource', 'resource'),
  subResource: STRING,
  requestKind: groupVersion('kubernetes.GroupVersionKind', 'kind'),
  requestResource: groupVersion('kubernetes.GroupVersionResource', 'resource'),
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: object('kubernetes.UserInfo', {
    username: STRING,
    uid: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
  }),
  dryRun: BOOL,
  options: DYN,
});

/** Fields of metadata that are missing here are hidden from expressions. */
export const NAMESPACE_TYPE = object('kubernetes.Namespace', {
  metadata: object('kubernetes.NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  }),
  spec: object('kubernetes.NamespaceSpec', { finalizers: listOf(STRING) }),
  status: object('kubernetes.NamespaceStatus', {
    conditions: listOf(
      object('kubernetes.NamespaceCondition', {
        status: STRING,
        type: STRING,
        lastTransitionTime: TIMESTAMP,
        message: STRING,
        reason: STRING,
      }),
    ),
    phase: STRING,
  }),
});

const VARIABLES_TYPE = 'kubernetes.variables';

/** The type of `variables`, with one field for each variable of a policy that is declared so far. */
export function variablesType(declared: ObjectFields): Type {
  return objectType(VARIABLES_TYPE, declared);
}

/**
 * The type of a variable for the expressions that read it. Only plain types, lists and maps keep theirs. Upstream:
 * `composition.go` convertCelTypeToDeclType.
 */
export function readableType(type: Type): Type {
  switch (type.kind) {
    case 'list':
      return listOf(readableType(parameterOf(type, 0)));
    case 'map':
      return mapOf(readableType(parameterOf(type, 0)), readableType(parameterOf(type, 1)));
    case 'object':
    case 'opaque':
    case 'parameter':
    case 'type':
    case 'error':
      return DYN;
    default:
      return type;
  }
}

function groupVersion(name: string, last: string): Type {
  return object(name, { group: STRING, version: STRING, [last]: STRING });
}

function object(name: string, fields: Readonly<Record<string, Type>>): Type {
  return objectType(name, new Map(Object.entries(fields)));
}

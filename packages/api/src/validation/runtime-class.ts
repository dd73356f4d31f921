import { duplicate, type FieldError, required } from '@binnacle/apimachinery/status';
import {
  errorsOfEach,
  invalidFor,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  validateImmutable,
  validateLabels,
} from '@binnacle/apimachinery/validation';
import { finish } from '@binnacle/apimachinery/work';
import type { Toleration } from '../generated/types/core-v1.js';
import type { RuntimeClass } from '../generated/types/node-v1.js';
import { plainMetadata } from './common.js';
import { type GoStruct, shownStruct } from './go-struct.js';
import { validateRequirements } from './pod/resources.js';
import { validateTolerations } from './pod/scheduling.js';

// Upstream: `pkg/apis/node/validation`.

const TOLERATION: GoStruct = {
  Key: ['key', ''],
  Operator: ['operator', ''],
  Value: ['value', ''],
  Effect: ['effect', ''],
  TolerationSeconds: ['tolerationSeconds', null],
};

export function validateRuntimeClass(object: RuntimeClass): FieldError[] {
  const { handler, overhead, scheduling } = object;
  return [
    ...(handler ? invalidFor('handler', handler, nameIsDnsLabel(handler, false)) : [required('handler', '')]),
    ...(overhead === undefined
      ? []
      : finish(validateRequirements({ limits: overhead.podFixed }, new Set(), 'overhead'))),
    ...validateLabels(scheduling?.nodeSelector, 'scheduling.nodeSelector'),
    ...validateTolerations(scheduling?.tolerations, 'scheduling.tolerations'),
    ...repeated(scheduling?.tolerations, 'scheduling.tolerations'),
  ];
}

function repeated(tolerations: readonly Toleration[] | undefined, field: string): FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(tolerations, (toleration, index) => {
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const identity = JSON.stringify([key, operator, value, effect]);
    if (seen.has(identity)) return [duplicate(`${field}[${index}]`, shownStruct(toleration, TOLERATION))];
    seen.add(identity);
    return [];
  });
}

export function validateRuntimeClassUpdate(object: RuntimeClass, old: RuntimeClass): FieldError[] {
  return [
    ...plainMetadata(object, false, nameIsDnsSubdomain),
    ...validateRuntimeClass(object),
    ...validateImmutable(object.handler, old.handler, 'handler'),
  ];
}

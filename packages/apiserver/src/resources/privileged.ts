import { objectAt, templateField } from '@binnacle/api/pods';
import type { Container, EphemeralContainer, PodSpec } from '@binnacle/api/types/core-v1';
import { asJson, formatGroupResource, type GroupResource, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { ERRORS_MAXIMUM, type FieldError, forbiddenField } from '@binnacle/apimachinery/status';
import { errorsOfEach } from '@binnacle/apimachinery/validation';
import type { Strategy, Validation } from '../registry/index.js';

/**
 * The strategy of a resource, which also refuses privileged containers in its pods. Upstream: `--allow-privileged`,
 * kubernetes `pkg/capabilities`.
 */
export function withoutPrivileged(strategy: Strategy, resource: GroupResource): Strategy {
  const name = formatGroupResource(resource);
  const template = templateField(name);
  const field = template === undefined ? 'spec' : `${template}.spec`;
  if (name !== 'pods' && template === undefined) return strategy;
  return {
    ...strategy,
    validate: (object, budget) => append(strategy.validate?.(object, budget), privilegedIn(object, field)),
    validateUpdate: (object, old, budget) =>
      append(strategy.validateUpdate?.(object, old, budget), privilegedIn(object, field)),
  };
}

function append(validation: Validation | undefined, more: readonly FieldError[]): Validation {
  if (validation === undefined || Array.isArray(validation)) return [...(validation ?? []), ...more];
  return (function* () {
    return [...(yield* validation), ...more];
  })();
}

/** The errors of the privileged containers of the pod at `field`. */
function privilegedIn(object: Readonly<KubernetesObject>, field: string): FieldError[] {
  const spec = objectAt(asJson(object), field) as Partial<PodSpec> | undefined;
  if (spec === undefined) return [];
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  const errors = Object.entries({ containers, initContainers, ephemeralContainers }).flatMap(([list, items]) =>
    errorsOfEach<Container | EphemeralContainer>(items, (container, index) =>
      container.securityContext?.privileged === true
        ? [forbiddenField(`${field}.${list}[${index}].securityContext.privileged`, 'disallowed by cluster policy')]
        : [],
    ),
  );
  const all: (Container | EphemeralContainer)[] = [...initContainers, ...containers, ...ephemeralContainers];
  const isHostProcess = all.some(
    ({ securityContext }) =>
      securityContext?.windowsOptions?.hostProcess ?? spec.securityContext?.windowsOptions?.hostProcess,
  );
  if (isHostProcess) errors.push(forbiddenField(field, 'hostProcess containers are disallowed by cluster policy'));
  return errors.slice(0, ERRORS_MAXIMUM);
}

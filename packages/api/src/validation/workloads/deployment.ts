import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { semanticEqual, validateNonNegative } from '@binnacle/apimachinery/validation';
import type { Deployment, DeploymentStrategy, RollingUpdateDeployment } from '../../generated/types/apps-v1.js';
import type { LabelSelector } from '../../generated/types/meta-v1.js';
import { finalizerDomains, shownSelector } from '../common.js';
import { isZero, validateAtMostAll, validateIntOrPercent } from './int-or-percent.js';
import { validateRequiredSelector, validateSelectedTemplate } from './template.js';

/** Upstream: `ValidateDeploymentSpec`. */
export function validateDeployment(object: Deployment): FieldError[] {
  const spec = object.spec;
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec ?? {};
  return [
    ...validateNonNegative(spec?.replicas, 'spec.replicas'),
    ...validateRequiredSelector(spec?.selector, 'empty selector is invalid for deployment'),
    ...validateSelectedTemplate(spec?.selector, spec?.template),
    ...strategy(spec?.strategy ?? {}),
    ...validateNonNegative(minReadySeconds, 'spec.minReadySeconds'),
    ...validateNonNegative(spec?.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
    ...validateNonNegative(deadline, 'spec.progressDeadlineSeconds'),
    ...(deadline !== undefined && deadline <= minReadySeconds
      ? [invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

export function validateDeploymentUpdate(object: Deployment, old: Deployment): FieldError[] {
  return [
    ...finalizerDomains(object),
    ...validateDeployment(object),
    ...validateSelectorUnchanged(object.spec?.selector, old.spec?.selector),
  ];
}

export function validateSelectorUnchanged(
  selector: LabelSelector | undefined,
  old: LabelSelector | undefined,
): FieldError[] {
  if (semanticEqual(selector, old)) return [];
  return [invalidValue('spec.selector', shownSelector(selector), 'field is immutable')];
}

function strategy(value: DeploymentStrategy): FieldError[] {
  const field = 'spec.strategy';
  const rolling = value.rollingUpdate;
  if (value.type === 'Recreate') {
    if (rolling === undefined) return [];
    return [forbiddenField(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
  }
  if (value.type !== 'RollingUpdate') {
    const shown = { Type: value.type ?? '', RollingUpdate: rolling === undefined ? null : shownRolling(rolling) };
    return [notSupported(field, shown, ['Recreate', 'RollingUpdate'])];
  }
  if (rolling === undefined) {
    return [required(`${field}.rollingUpdate`, 'this should be defaulted and never be nil')];
  }
  const { maxUnavailable, maxSurge } = rolling;
  const unavailable = `${field}.rollingUpdate.maxUnavailable`;
  return [
    ...validateIntOrPercent(maxUnavailable, unavailable),
    ...validateIntOrPercent(maxSurge, `${field}.rollingUpdate.maxSurge`),
    ...(isZero(maxUnavailable) && isZero(maxSurge)
      ? [invalidValue(unavailable, maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...validateAtMostAll(maxUnavailable, unavailable),
  ];
}

function shownRolling({ maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment): object {
  return { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge };
}

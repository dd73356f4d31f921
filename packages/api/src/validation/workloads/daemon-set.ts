import { type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { validateNonNegative } from '@binnacle/apimachinery/validation';
import type { DaemonSet, DaemonSetUpdateStrategy } from '../../generated/types/apps-v1.js';
import { isEmptySelector, finalizerDomains, selects, shownSelector, templateMismatch } from '../common.js';
import { validateSelectorUnchanged } from './deployment.js';
import { isZero, validateAtMostAll, validateIntOrPercent } from './int-or-percent.js';
import { labelSelector } from '../label-selector.js';
import { validatePodTemplate } from '../pod/template.js';
import { validateRestartsAlways } from './template.js';

/** Upstream: `ValidateDaemonSetSpec`. */
export function validateDaemonSet(object: DaemonSet): FieldError[] {
  const spec = object.spec;
  const selector = spec?.selector;
  const labels = spec?.template?.metadata?.labels;
  return [
    ...labelSelector(selector, 'spec.selector'),
    ...(selects(selector, labels) === false ? [templateMismatch(labels, 'spec.template')] : []),
    ...(selector !== undefined && isEmptySelector(selector)
      ? [invalidValue('spec.selector', shownSelector(selector), 'empty selector is invalid for daemonset')]
      : []),
    ...validatePodTemplate(spec?.template, 'spec.template'),
    ...validateRestartsAlways(spec?.template, 'DaemonSet'),
    ...validateNonNegative(spec?.minReadySeconds, 'spec.minReadySeconds'),
    ...updateStrategy(spec?.updateStrategy ?? {}),
    ...validateNonNegative(spec?.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  ];
}

export function validateDaemonSetUpdate(object: DaemonSet, old: DaemonSet): FieldError[] {
  return [
    ...finalizerDomains(object),
    ...validateSelectorUnchanged(object.spec?.selector, old.spec?.selector),
    ...validateDaemonSet(object),
  ];
}

function updateStrategy(strategy: DaemonSetUpdateStrategy): FieldError[] {
  const field = 'spec.updateStrategy';
  const rolling = strategy.rollingUpdate;
  if (strategy.type === 'OnDelete') return [];
  if (strategy.type !== 'RollingUpdate') {
    const shown = {
      Type: strategy.type ?? '',
      RollingUpdate: rolling && { MaxUnavailable: rolling.maxUnavailable ?? 0, MaxSurge: rolling.maxSurge ?? 0 },
    };
    return [
      notSupported(field, { ...shown, RollingUpdate: shown.RollingUpdate ?? null }, ['RollingUpdate', 'OnDelete']),
    ];
  }
  if (rolling === undefined) return [required(`${field}.rollingUpdate`, '')];
  const unavailable = `${field}.rollingUpdate.maxUnavailable`;
  const surge = `${field}.rollingUpdate.maxSurge`;
  const errors = [
    ...validateIntOrPercent(rolling.maxUnavailable, unavailable),
    ...validateIntOrPercent(rolling.maxSurge, surge),
    ...validateAtMostAll(rolling.maxUnavailable, unavailable),
    ...validateAtMostAll(rolling.maxSurge, surge),
  ];
  const noneUnavailable = isZero(rolling.maxUnavailable);
  const noSurge = isZero(rolling.maxSurge);
  if (!noneUnavailable && !noSurge) {
    errors.push(invalidValue(surge, rolling.maxSurge, 'may not be set when maxUnavailable is non-zero'));
  }
  if (noneUnavailable && noSurge) errors.push(required(unavailable, 'cannot be 0 when maxSurge is 0'));
  return errors;
}

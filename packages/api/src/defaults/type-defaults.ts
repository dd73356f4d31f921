import type { TokenRequestSpec } from '../generated/types/authentication-v1.js';
import type { PriorityClass } from '../generated/types/scheduling-v1.js';
import { admissionregistrationDefaults } from './admissionregistration.js';
import { appsDefaults } from './apps.js';
import { autoscalingDefaults } from './autoscaling.js';
import { batchDefaults } from './batch.js';
import { containerDefaults } from './container.js';
import { coreDefaults } from './core.js';
import { extensionDefaults } from './extension.js';
import { flowcontrolDefaults } from './flowcontrol.js';
import { networkingDefaults } from './networking.js';
import { podDefaults } from './pod.js';
import { rbacDefaults } from './rbac.js';
import { resourceDefaults } from './resource.js';
import { serviceDefaults } from './service.js';
import { storageDefaults } from './storage.js';
import { type TypeRule, typeRule } from './type-rule.js';
import { volumeDefaults } from './volume.js';

/** The rules of all built-in types by definition name, e.g. `io.k8s.api.core.v1.PodSpec`. */
export const typeDefaults: ReadonlyMap<string, TypeRule> = new Map([
  ...podDefaults,
  ...containerDefaults,
  ...volumeDefaults,
  ...serviceDefaults,
  ...coreDefaults,
  ...appsDefaults,
  ...batchDefaults,
  ...autoscalingDefaults,
  ...admissionregistrationDefaults,
  ...networkingDefaults,
  ...rbacDefaults,
  ...storageDefaults,
  ...resourceDefaults,
  ...flowcontrolDefaults,
  ...extensionDefaults,
  typeRule('io.k8s.api.scheduling.v1.PriorityClass', (priorityClass: PriorityClass) => {
    priorityClass.preemptionPolicy ??= 'PreemptLowerPriority';
  }),
  typeRule('io.k8s.api.authentication.v1.TokenRequestSpec', (spec: TokenRequestSpec) => {
    spec.expirationSeconds ??= 3600;
  }),
]);

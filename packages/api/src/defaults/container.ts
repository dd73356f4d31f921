import type {
  Container,
  EphemeralContainer,
  HTTPGetAction,
  ObjectFieldSelector,
  Probe,
} from '../generated/types/core-v1.js';
import { isLatestImage } from '../pods/index.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';
import { isEmpty } from './values.js';

function defaultContainer(container: Container | EphemeralContainer): void {
  if (isEmpty(container.imagePullPolicy)) {
    container.imagePullPolicy = isLatestImage(container.image ?? '') ? 'Always' : 'IfNotPresent';
  }
  if (isEmpty(container.terminationMessagePath)) container.terminationMessagePath = '/dev/termination-log';
  if (isEmpty(container.terminationMessagePolicy)) container.terminationMessagePolicy = 'File';
}

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
}

function defaultHTTPGetAction(action: HTTPGetAction): void {
  if (isEmpty(action.path)) action.path = '/';
  if (isEmpty(action.scheme)) action.scheme = 'HTTP';
}

function defaultObjectFieldSelector(selector: ObjectFieldSelector): void {
  if (isEmpty(selector.apiVersion)) selector.apiVersion = 'v1';
}

export const containerDefaults: readonly TypeRuleEntry[] = [
  typeRule('io.k8s.api.core.v1.Container', defaultContainer),
  typeRule('io.k8s.api.core.v1.EphemeralContainer', defaultContainer),
  typeRule('io.k8s.api.core.v1.Probe', defaultProbe),
  typeRule('io.k8s.api.core.v1.HTTPGetAction', defaultHTTPGetAction),
  typeRule('io.k8s.api.core.v1.ObjectFieldSelector', defaultObjectFieldSelector),
];

import type {
  MatchResources,
  MutatingWebhook,
  ParamRef,
  ServiceReference,
  ValidatingWebhook,
} from '../generated/types/admissionregistration-v1.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';

const versions = ['v1', 'v1beta1', 'v1alpha1'];
const name = (version: string, type: string) => `io.k8s.api.admissionregistration.${version}.${type}`;

function defaultWebhook(webhook: ValidatingWebhook | MutatingWebhook): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
}

function defaultMutatingWebhook(webhook: MutatingWebhook): void {
  defaultWebhook(webhook);
  webhook.reinvocationPolicy ??= 'Never';
}

function defaultPolicySpec(spec: { failurePolicy?: string | undefined }): void {
  spec.failurePolicy ??= 'Fail';
}

function defaultMatchResources(resources: MatchResources): void {
  resources.matchPolicy ??= 'Equivalent';
  resources.namespaceSelector ??= {};
  resources.objectSelector ??= {};
}

function defaultRule(rule: { scope?: string | undefined }): void {
  rule.scope ??= '*';
}

/** Only v1alpha1 has this default. */
function defaultParamRef(reference: ParamRef): void {
  reference.parameterNotFoundAction ??= 'Deny';
}

export const admissionregistrationDefaults: readonly TypeRuleEntry[] = [
  typeRule(name('v1', 'ValidatingWebhook'), defaultWebhook),
  typeRule(name('v1', 'MutatingWebhook'), defaultMutatingWebhook),
  typeRule(name('v1', 'ServiceReference'), (reference: ServiceReference) => {
    reference.port ??= 443;
  }),
  typeRule(name('v1', 'ValidatingAdmissionPolicySpec'), defaultPolicySpec),
  typeRule(name('v1', 'RuleWithOperations'), defaultRule),
  typeRule(name('v1alpha1', 'ParamRef'), defaultParamRef),
  ...versions.flatMap((version) => [
    typeRule(name(version, 'MutatingAdmissionPolicySpec'), defaultPolicySpec),
    typeRule(name(version, 'MatchResources'), defaultMatchResources),
    typeRule(name(version, 'NamedRuleWithOperations'), defaultRule),
  ]),
];

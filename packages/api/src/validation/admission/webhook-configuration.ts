import { duplicate, type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import {
  nameIsDnsSubdomain,
  semanticEqual,
  validateDns1035Label,
  validateDns1123Subdomain,
  validateLabelSelector,
} from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '../../generated/types/admissionregistration-v1.js';
import { each, list, plainMetadata, ruleByRule } from '../common.js';
import { matchConditionRules } from './match-conditions.js';
import { optionalValue, validateMatchPolicy, validateRule } from './rules.js';
import { validateWebhookClient } from './webhook-client.js';

// Validating and mutating webhook configurations. Upstream: `pkg/apis/admissionregistration/validation`.

type Configuration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;
type Webhook = Partial<ValidatingWebhook & MutatingWebhook>;

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const NO_SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
/** The AdmissionReview versions that the server sends. */
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** Flaws of the stored object that an update may keep. */
interface Leniency {
  readonly anySideEffects: boolean;
  readonly anyReviewVersion: boolean;
  readonly repeatedNames: boolean;
  readonly invalidSelectorValues: boolean;
  readonly sameConditions: boolean;
}

const strict: Leniency = {
  anySideEffects: false,
  anyReviewVersion: false,
  repeatedNames: false,
  invalidSelectorValues: false,
  sameConditions: false,
};

export function validateWebhookConfiguration(object: Configuration): Steps<FieldError[]> {
  return configuration(object, strict);
}

export function* validateWebhookConfigurationUpdate(object: Configuration, old: Configuration): Steps<FieldError[]> {
  const hooks = webhooks(old);
  const names = hooks.map(({ name }) => name);
  const current = webhooks(object);
  return [
    ...plainMetadata(object, false, nameIsDnsSubdomain),
    ...(yield* configuration(object, {
      anySideEffects: !hooks.every(({ sideEffects = '' }) => NO_SIDE_EFFECTS.includes(sideEffects)),
      anyReviewVersion: !hooks.every(
        ({ admissionReviewVersions: given }) => list(given).length === 0 || list(given).some(isReviewVersion),
      ),
      repeatedNames: new Set(names).size < names.length,
      invalidSelectorValues: hooks.some((hook) => selectors(hook, '', false).length > 0),
      sameConditions:
        hooks.length === current.length &&
        hooks.every((hook, index) => semanticEqual(hook.matchConditions, current[index]?.matchConditions)),
    })),
  ];
}

function webhooks(object: Configuration): readonly Webhook[] {
  return list<Webhook>(object.webhooks);
}

function isReviewVersion(version: string): boolean {
  return REVIEW_VERSIONS.includes(version);
}

/** Condition by condition, because each compiles an expression. */
function configuration(object: Configuration, leniency: Leniency): Steps<FieldError[]> {
  const seen = new Set<string>();
  const rules = webhooks(object).map((hook, index) => {
    const path = `webhooks[${index}]`;
    const name = hook.name ?? '';
    const rest = (): FieldError[] => {
      const errors = reviewVersions(list(hook.admissionReviewVersions), `${path}.admissionReviewVersions`, leniency);
      if (!leniency.repeatedNames && name !== '' && seen.has(name)) errors.push(duplicate(`${path}.name`, name));
      seen.add(name);
      return errors;
    };
    const conditions = matchConditionRules(hook.matchConditions, `${path}.matchConditions`, false);
    return [() => webhook(hook, path, leniency), ...(leniency.sameConditions ? [] : conditions), rest];
  });
  return ruleByRule(rules.flat());
}

function webhook(hook: Webhook, path: string, leniency: Leniency): FieldError[] {
  const { timeoutSeconds: timeout, sideEffects } = hook;
  const effects = leniency.anySideEffects ? SIDE_EFFECTS : NO_SIDE_EFFECTS;
  return [
    ...qualified(hook.name ?? '', `${path}.name`),
    ...each(hook.rules, `${path}.rules`, validateRule),
    ...optionalValue(hook.failurePolicy, FAILURE_POLICIES, `${path}.failurePolicy`),
    ...validateMatchPolicy(hook.matchPolicy, `${path}.matchPolicy`),
    ...(sideEffects === undefined
      ? [required(`${path}.sideEffects`, `must specify one of ${effects.join(', ')}`)]
      : effects.includes(sideEffects)
        ? []
        : [notSupported(`${path}.sideEffects`, sideEffects, effects)]),
    ...(timeout !== undefined && (timeout > 30 || timeout < 1)
      ? [invalidValue(`${path}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...selectors(hook, path, leniency.invalidSelectorValues),
    ...optionalValue(hook.reinvocationPolicy, REINVOCATION_POLICIES, `${path}.reinvocationPolicy`),
    ...validateWebhookClient(hook.clientConfig, `${path}.clientConfig`),
  ];
}

/** `name.example.com`: at least three labels. */
function qualified(name: string, field: string): FieldError[] {
  if (name === '') return [required(field, '')];
  const messages = validateDns1123Subdomain(name);
  if (messages.length > 0) return [invalidValue(field, name, messages.join(','))];
  if (name.split('.').length >= 3) return [];
  return [invalidValue(field, name, 'should be a domain with at least three segments separated by dots')];
}

function selectors(hook: Webhook, path: string, allowInvalidValues: boolean): FieldError[] {
  return (['namespaceSelector', 'objectSelector'] as const).flatMap((name) =>
    validateLabelSelector(hook[name] as Parameters<typeof validateLabelSelector>[0], `${path}.${name}`, {
      allowInvalidValues,
    }),
  );
}

function reviewVersions(versions: readonly string[], field: string, leniency: Leniency): FieldError[] {
  const known = REVIEW_VERSIONS.join(', ');
  if (versions.length === 0) return [required(field, `must specify one of ${known}`)];
  const seen = new Set<string>();
  const errors = each(versions, field, (version, path) => {
    if (seen.has(version)) return [invalidValue(path, version, 'duplicate version')];
    seen.add(version);
    return validateDns1035Label(version).map((message) => invalidValue(path, version, message));
  });
  if (!leniency.anyReviewVersion && !versions.some(isReviewVersion)) {
    errors.push(invalidValue(field, versions, `must include at least one of ${known}`));
  }
  return errors;
}

export { validateAnnotations } from './annotations.js';
export { type Condition, validateConditions } from './conditions.js';
export { eachInSteps, entryByEntry, itemByItem } from './errors-in-steps.js';
export { errorsOfEach, errorsOfEntries } from './errors-of-each.js';
export {
  DNS_LABEL_MAXIMUM,
  DNS_SUBDOMAIN_MAXIMUM,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateDns1123SubdomainWithUnderscore,
  validateWildcardDns1123Subdomain,
} from './dns-names.js';
export { validateDomainPrefixedPath } from './domain-paths.js';
export { invalidFor, validateImmutable, validateNonNegative } from './field-rules.js';
export { validateFinalizerDomain, validateFinalizerDomains } from './finalizers.js';
export { isOnlyGarbageCollection } from './garbage-collection.js';
export {
  validateCIdentifier,
  validateConfigMapKey,
  validateEnvironmentVariableName,
  validateHttpHeaderName,
  validatePercent,
} from './identifiers.js';
export {
  formatIpAddress,
  type IpAddress,
  type IpFamily,
  ipFamilyOf,
  ipOfNumber,
  type IpPrefix,
  isIpv4Mapped,
  firstIpAddress,
  maskIpAddress,
  numberOfIp,
  parseIpAddress,
  parseIpPrefix,
} from './ip-address.js';
export {
  type LegacyFieldOptions,
  validateCidr,
  validateCidrForLegacyField,
  validateIp,
  validateIpForLegacyField,
  warningsForCidr,
  warningsForIp,
} from './ip-rules.js';
export { validateLabelKey, validateLabelValue } from './label-keys.js';
export {
  type LabelSelector,
  type LabelSelectorOptions,
  type LabelSelectorRequirement,
  validateLabelName,
  validateLabelSelector,
  validateLabelSelectorInSteps,
  validateLabels,
  validateLabelsInSteps,
} from './labels.js';
export { validateFieldManager } from './managed-fields.js';
export { IMMUTABLE_MESSAGE, inclusiveRangeMessage, NEGATIVE_MESSAGE } from './messages.js';
export {
  fullNameIsDnsSubdomain,
  type NameRule,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
} from './names.js';
export { type ObjectMetaOptions, validateObjectMeta, validateObjectMetaUpdate } from './object-meta.js';
export { validatePortName, validatePortNumber, validateRange, validateUnixId } from './ports.js';
export { utf8Length } from './text.js';
export {
  decodedBytes,
  encodedPath,
  isEncodedPath,
  parametersOf,
  type ParsedUrl,
  parseRequestUri,
  parseUrl,
  requestUriOf,
  splitHost,
  UrlError,
} from './url.js';
export { type ComparedField, semanticEqual } from './semantic-equal.js';

export { ANNOTATIONS_MAXIMUM, validateAnnotations } from './annotations.js';
export { type Condition, validateConditions } from './conditions.js';
export { errorsOfEach, errorsOfEntries } from './errors-of-each.js';
export {
  DNS_LABEL_MAXIMUM,
  DNS_SUBDOMAIN_MAXIMUM,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateDns1123SubdomainCaseless,
  validateDns1123SubdomainWithUnderscore,
  validateWildcardDns1123Subdomain,
} from './dns-names.js';
export { validateDomainPrefixedPath } from './domain-paths.js';
export { invalidFor, semanticEqual, validateImmutable, validateNonNegative } from './field-rules.js';
export {
  FINALIZER_FOREGROUND,
  FINALIZER_KUBERNETES,
  FINALIZER_ORPHAN,
  validateFinalizerDomain,
  validateFinalizerDomains,
  validateFinalizers,
  validateNoNewFinalizers,
} from './finalizers.js';
export { isOnlyGarbageCollection } from './garbage-collection.js';
export {
  validateCIdentifier,
  validateConditionReason,
  validateConfigMapKey,
  validateEnvironmentVariableName,
  validateHttpHeaderName,
  validatePercent,
} from './identifiers.js';
export {
  formatIpAddress,
  formatIpPrefix,
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
export { LABEL_VALUE_MAXIMUM, validateLabelKey, validateLabelValue } from './label-keys.js';
export {
  type LabelSelector,
  type LabelSelectorOptions,
  type LabelSelectorRequirement,
  validateLabelName,
  validateLabelSelector,
  validateLabels,
} from './labels.js';
export { FIELD_MANAGER_MAXIMUM, goStringSlice, validateFieldManager, validateManagedFields } from './managed-fields.js';
export {
  EMPTY_MESSAGE,
  IMMUTABLE_MESSAGE,
  inclusiveRangeMessage,
  maximumBytesMessage,
  maximumCharactersMessage,
  NEGATIVE_MESSAGE,
  patternMessage,
} from './messages.js';
export {
  type NameRule,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
} from './names.js';
export { type ObjectMetaOptions, validateObjectMeta, validateObjectMetaUpdate } from './object-meta.js';
export { validateOwnerReferences } from './owner-references.js';
export { validatePortName, validatePortNumber, validateRange, validateUnixId } from './ports.js';
export { utf8Length } from './text.js';

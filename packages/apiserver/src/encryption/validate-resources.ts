import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { ANY, parseResource } from './resource-name.js';

const SAME = 'the same resource cannot be specified multiple times';
const OVERLAP =
  "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
const CAPITALS = 'resource name should not contain capital letters';
const STAR = "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
const WITHOUT_API = 'resources which do not have REST API/s cannot be encrypted';
const EVENTS =
  "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
const EXTENSIONS = "'extensions' group has been removed and cannot be used for encryption";
const ACROSS_GROUPS = 'encrypting the same resource across groups is not supported';

const INTERNAL: readonly string[] = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];

/** Upstream: apiserver `pkg/apis/apiserver/validation/validation_encryption.go`. */
export function validateResources(names: readonly string[], field: string): FieldError[] {
  return [
    ...(names.length === 0 ? [required(field, `at least one ${field} is required`)] : []),
    ...repetitions(names, field),
    ...names.flatMap((name, index) => {
      const fault = faultOf(name);
      return fault === undefined ? [] : [invalidValue(`${field}[${index}]`, name, fault)];
    }),
  ];
}

function repetitions(names: readonly string[], field: string): FieldError[] {
  const resources = names.map(parseResource);
  const pairs = resources.flatMap((one, index) => resources.slice(index + 1).map((other) => ({ one, other })));
  const isSame = ({ one, other }: (typeof pairs)[number]): boolean =>
    one.group === other.group && one.resource === other.resource;
  const isOverlap = (pair: (typeof pairs)[number]): boolean => {
    const { one, other } = pair;
    if (isSame(pair)) return false;
    if ([one, other].some(({ group, resource }) => group === ANY && resource === ANY)) return true;
    return one.group === other.group && (one.resource === ANY || other.resource === ANY);
  };
  return [
    ...(pairs.some(isSame) ? [invalidValue(field, names, SAME)] : []),
    ...(pairs.some(isOverlap) ? [invalidValue(field, names, OVERLAP)] : []),
  ];
}

function faultOf(name: string): string | undefined {
  if (name.toLowerCase() !== name) return CAPITALS;
  if (name === ANY) return STAR;
  if (INTERNAL.includes(name)) return WITHOUT_API;
  const { group, resource } = parseResource(name);
  if (group === 'events.k8s.io') return EVENTS;
  if (group === 'extensions') return EXTENSIONS;
  return group === ANY && resource !== ANY ? ACROSS_GROUPS : undefined;
}

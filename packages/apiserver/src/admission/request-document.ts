import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import type { GroupVersionKind, GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { VersionedResource } from './object-versions.js';
import type { AdmissionAttributes } from './plugin.js';

/**
 * A request as an AdmissionRequest without its objects and UID, which webhooks receive and expressions read. `seen`: the
 * resource and kind that a match has found. Upstream: apiserver `plugin/webhook/request`.
 */
export function requestDocument(attributes: AdmissionAttributes, seen: VersionedResource): JsonObject {
  const { subresource, name, namespace, operation, options = null, dryRun } = attributes;
  return {
    kind: kindOf(seen.kind),
    resource: resourceOf(seen.resource),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOf(attributes.kind),
    requestResource: resourceOf(attributes.resource),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(attributes),
    dryRun,
    options,
  };
}

function kindOf({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

function resourceOf({ group, version, resource }: GroupVersionResource): JsonObject {
  return { group, version, resource };
}

function userInfo({ user }: AdmissionAttributes): JsonObject {
  const { name, uid, groups, extra } = user;
  const values = Object.entries(extra).map(([key, texts]): [string, JsonValue] => [key, [...texts]]);
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(values.length === 0 ? {} : { extra: Object.fromEntries(values) }),
  };
}

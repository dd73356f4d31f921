import { FieldSelectorError, parseFieldSelector } from '@binnacle/apimachinery/fields';
import { formatGroupResource } from '@binnacle/apimachinery/meta';
import { nodeNameOf } from '../authentication/index.js';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.js';
import { defaultComponentRoles } from './default-component-roles.js';
import { isRelated, type NodeObjects, type RelatedKind } from './node-relations.js';
import { ruleAllows } from './rule-match.js';
import { parseRule } from './rule-table.js';

const LEASE_NAMESPACE = 'kube-node-lease';
const ALLOWED: Decision = { allowed: true, reason: '' };
const OWN = ['get', 'create', 'update', 'patch', 'delete'];

type Answer = Decision | Promise<Decision>;
/** The node that asks. */
interface AskingNode {
  readonly name: string;
  /** Finds out which objects are related to a node. */
  readonly objects: NodeObjects;
}

type Check = (asked: AuthorizationAttributes, node: AskingNode) => Answer;

/** The resources for which the role alone would allow more than the node's own objects. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['secrets', readable('secrets')],
  ['configmaps', readable('configmaps')],
  ['persistentvolumeclaims', checkClaim],
  ['persistentvolumes', gettable('persistentvolumes')],
  ['resourceclaims.resource.k8s.io', gettable('resourceclaims')],
  ['volumeattachments.storage.k8s.io', gettable('volumeattachments')],
  ['serviceaccounts', checkServiceAccount],
  ['leases.coordination.k8s.io', checkLease],
  ['csinodes.storage.k8s.io', checkCsiNode],
  ['resourceslices.resource.k8s.io', checkSlice],
  ['nodes', checkNode],
  ['pods', checkPod],
]);

/**
 * Allows a node what the role `system:node` allows, restricted to the node itself and its pods. It never denies: a role
 * may still allow a request on which it has no opinion. It does not know the object of a create; the admission plugin
 * `NodeRestriction` checks that one.
 * Upstream: `plugin/pkg/auth/authorizer/node`.
 */
export function nodeAuthorizer(objects: NodeObjects): Authorizer {
  const rules = (defaultComponentRoles['system:node'] ?? []).map(parseRule);
  return {
    authorize(attributes) {
      const name = nodeNameOf(attributes.user);
      if (name === undefined) return no('');
      if (name === '') return no(`unknown node for user "${attributes.user.name}"`);
      const check = attributes.isResourceRequest ? checks.get(formatGroupResource(attributes)) : undefined;
      if (check !== undefined) return check(attributes, { name, objects });
      return rules.some((rule) => ruleAllows(rule, attributes)) ? ALLOWED : no('');
    },
  };
}

/** Allows reading an object that is related to the node. */
function related(kind: RelatedKind, { namespace, name }: AuthorizationAttributes, node: AskingNode): Answer {
  if (name === '') return no('No Object name found');
  return isRelated(kind, { namespace, name }, node.name, node.objects).then((is) =>
    is ? ALLOWED : no(`no relationship found between node '${node.name}' and this object`),
  );
}

function gettable(kind: RelatedKind): Check {
  return (asked, node) => {
    if (asked.verb !== 'get') return no('can only get individual resources of this type');
    return asked.subresource === '' ? related(kind, asked, node) : no('cannot get subresource');
  };
}

function readable(kind: RelatedKind): Check {
  return (asked, node) => {
    if (!['get', 'list', 'watch'].includes(asked.verb)) return no('can only read resources of this type');
    if (asked.subresource !== '') return no('cannot read subresource');
    return asked.namespace === '' ? no('can only read namespaced object of this type') : related(kind, asked, node);
  };
}

function checkClaim(asked: AuthorizationAttributes, node: AskingNode): Answer {
  if (asked.subresource !== 'status') return gettable('persistentvolumeclaims')(asked, node);
  return asked.verb === 'update' || asked.verb === 'patch'
    ? related('persistentvolumeclaims', asked, node)
    : no('can only get/update/patch this type');
}

function checkServiceAccount(asked: AuthorizationAttributes, node: AskingNode): Answer {
  if (asked.verb === 'get' && asked.subresource === '') return readable('serviceaccounts')(asked, node);
  if (asked.verb !== 'create' || asked.name === '') {
    return no('can only create tokens for individual service accounts');
  }
  return asked.subresource === 'token'
    ? related('serviceaccounts', asked, node)
    : no('can only create token subresource of serviceaccount');
}

function checkSlice(asked: AuthorizationAttributes, node: AskingNode): Answer {
  if (asked.subresource !== '') return no('cannot authorize ResourceSlice subresources');
  if (asked.verb === 'create') return ALLOWED;
  if (OWN.includes(asked.verb)) return related('resourceslices', asked, node);
  if (!['list', 'watch', 'deletecollection'].includes(asked.verb)) {
    return no(
      'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
    );
  }
  return selectsNode(asked, node.name)
    ? ALLOWED
    : no('can only list/watch/deletecollection resourceslices with nodeName field selector');
}

function checkPod(asked: AuthorizationAttributes, node: AskingNode): Answer {
  switch (`${asked.verb} ${asked.subresource}`) {
    case 'get ':
      return related('pods', asked, node);
    case 'list ':
    case 'watch ':
      if (selectsNode(asked, node.name)) return ALLOWED;
      if (asked.name !== '') return related('pods', asked, node);
      return no('can only list/watch pods with spec.nodeName field selector');
    case 'create ':
    case 'delete ':
    case 'update status':
    case 'patch status':
    case 'create eviction':
      return ALLOWED;
    default:
      return no('');
  }
}

function checkLease({ verb, namespace, name }: AuthorizationAttributes, { name: node }: AskingNode): Decision {
  if (!OWN.includes(verb)) return no('can only get, create, update, patch, or delete a node lease');
  if (namespace !== LEASE_NAMESPACE) return no(`can only access leases in the "${LEASE_NAMESPACE}" system namespace`);
  return verb === 'create' || name === node
    ? ALLOWED
    : no('can only access node lease with the same name as the requesting node');
}

function checkCsiNode({ verb, subresource, name }: AuthorizationAttributes, { name: node }: AskingNode): Decision {
  if (!OWN.includes(verb)) return no('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return no('cannot authorize CSINode subresources');
  return verb === 'create' || name === node
    ? ALLOWED
    : no('can only access CSINode with the same name as the requesting node');
}

/** Compares names and does not read the store: a node reads itself before it exists. */
function checkNode({ verb, subresource, name }: AuthorizationAttributes, { name: node }: AskingNode): Decision {
  switch (`${verb} ${subresource}`) {
    case 'get ':
    case 'list ':
    case 'watch ':
      if (name === node) return ALLOWED;
      return no(`node '${node}' cannot read ${name === '' ? 'all nodes' : `'${name}'`}, only its own Node object`);
    case 'create ':
    case 'update ':
    case 'patch ':
    case 'update status':
    case 'patch status':
      return ALLOWED;
    default:
      return no('');
  }
}

/** Whether a request selects only the objects of the node. */
function selectsNode({ fieldSelector = '' }: AuthorizationAttributes, node: string): boolean {
  try {
    return parseFieldSelector(fieldSelector).requirements.some(
      ({ field, operator, value }) => field === 'spec.nodeName' && operator === '=' && value === node,
    );
  } catch (error) {
    // An invalid selector selects nothing; the request fails on it later.
    if (error instanceof FieldSelectorError) return false;
    throw error;
  }
}

function no(reason: string): Decision {
  return { allowed: false, reason };
}

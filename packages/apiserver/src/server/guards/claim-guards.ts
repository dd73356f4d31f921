import { fieldNamed, typeNamed } from '@binnacle/api/table';
import type { AllocatedDeviceStatus, ResourceClaim, ResourceClaimTemplate } from '@binnacle/api/types/resource-v1';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { type FieldError, forbiddenField, invalid, tooMany } from '@binnacle/apimachinery/status';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import { parseServiceAccountUser, type UserInfo } from '../../authentication/index.js';
import type { AuthorizationAttributes, Authorizer } from '../../authorization/index.js';
import { forbiddenRequest } from '../../filters/index.js';
import { type GuardedWrite, NAMESPACES, type Stores, type WriteGuard } from '../../registry/index.js';

const GROUP = 'resource.k8s.io';
const CLAIM_STATUS = 'io.k8s.api.resource.v1.ResourceClaimStatus';
const DEVICE_STATUS = 'io.k8s.api.resource.v1.AllocatedDeviceStatus';
const ADMIN_LABEL = 'resource.kubernetes.io/admin-access';
const NODE_KEY = 'authentication.kubernetes.io/node-name';
/**
 * A claim has at most 32 devices, each of one driver. So a valid write changes at most 32 entries that remain or are new,
 * and removes at most 32. Validation runs later, and each driver costs up to two decisions.
 */
const DRIVERS_MAXIMUM = 64;

type ClaimStatus = NonNullable<ResourceClaim['status']>;

export interface ClaimGuardsOptions {
  readonly authorizer: Authorizer;
  readonly stores: Stores;
}

/** A write of a claim's status, and who asks for it. */
interface StatusWrite {
  readonly user: UserInfo;
  readonly verb: string;
  readonly namespace: string;
  readonly status: ClaimStatus;
  readonly before: ClaimStatus;
}

/**
 * The guards of resource claims and their templates, by `resource.group`. Devices that belong to other claims are for the namespaces
 * that an administrator has labelled. A status shows who has devices and what their drivers say; each part needs a right of its own.
 * Upstream: `pkg/registry/resource` utils.go.
 */
export function claimGuards({ authorizer, stores }: ClaimGuardsOptions): ReadonlyMap<string, WriteGuard> {
  const namespaces = stores.reader(NAMESPACES);
  const hasAdminLabel = async (name: string): Promise<boolean> =>
    (await namespaces.find('', name))?.metadata.labels?.[ADMIN_LABEL] === 'true';
  const adminErrors = async (field: string | undefined, { scope }: GuardedWrite): Promise<FieldError[]> => {
    if (field === undefined || (await hasAdminLabel(scope.namespace))) return [];
    const text = `admin access to devices requires the \`${ADMIN_LABEL}: true\` label on the containing namespace`;
    return [forbiddenField(field, text)];
  };
  const specErrors = async (write: GuardedWrite) =>
    write.old === undefined ? adminErrors(adminRequest(write.object), write) : [];
  const statusErrors = async (write: GuardedWrite): Promise<FieldError[]> => {
    const { userName, requester, verb, namespace } = write.scope;
    if (requester === undefined || verb === undefined) return [];
    const [status, before] = [statusOf(write.object), write.old === undefined ? {} : statusOf(write.old)];
    const field = adminResult(before) === undefined ? adminResult(status) : undefined;
    const part = { user: { ...requester, name: userName }, verb, namespace, status, before };
    return [
      ...(await adminErrors(field, write)),
      ...(await bindingErrors(part, authorizer)),
      ...(await driverErrors(part, authorizer)),
    ];
  };
  return new Map([
    [
      `resourceclaims.${GROUP}`,
      guard((write) => (write.scope.subresource === 'status' ? statusErrors : specErrors)(write)),
    ],
    [`resourceclaimtemplates.${GROUP}`, guard(specErrors)],
  ]);
}

function guard(errorsOf: (write: GuardedWrite) => Promise<FieldError[]>): WriteGuard {
  return {
    async check(write) {
      // The server's own writes at its start have no requester.
      if (write.scope.requester === undefined) return;
      const errors = await errorsOf(write);
      const { kind, metadata } = write.object;
      if (errors.length > 0) throw invalid({ group: GROUP, kind }, metadata.name ?? '', errors);
    },
  };
}

function statusOf(claim: Readonly<KubernetesObject>): ClaimStatus {
  return asKind<ResourceClaim>(claim).status ?? {};
}

/** The first request with admin access. Validation runs after guards, so any part may be absent. */
function adminRequest(object: Readonly<KubernetesObject>): string | undefined {
  const { spec } = asKind<Partial<ResourceClaim & ResourceClaimTemplate>>(object);
  const requests = (spec?.devices ?? spec?.spec?.devices)?.requests ?? [];
  const index = requests.findIndex(({ exactly }) => exactly?.adminAccess === true);
  return index < 0 ? undefined : `spec.devices.requests[${index}].adminAccess`;
}

function adminResult({ allocation }: ClaimStatus): string | undefined {
  const index = (allocation?.devices?.results ?? []).findIndex(({ adminAccess }) => adminAccess === true);
  return index < 0 ? undefined : `status.allocation.devices.results[${index}].adminAccess`;
}

async function bindingErrors(write: StatusWrite, authorizer: Authorizer): Promise<FieldError[]> {
  const { status, before, verb } = write;
  const isSame = (part: 'allocation' | 'reservedFor') =>
    semanticEqual(status[part], before[part], fieldNamed(CLAIM_STATUS, part));
  if (isSame('allocation') && isSame('reservedFor')) return [];
  const refusal = await refusalOf(
    { ...attributesOf(write), namespace: '', subresource: 'binding', name: '' },
    authorizer,
  );
  if (refusal === undefined) return [];
  const what = `changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="${verb}"`;
  return [forbiddenField('status', `${what} permission: ${refusal}`)];
}

async function driverErrors(write: StatusWrite, authorizer: Authorizer): Promise<FieldError[]> {
  const drivers = changedDrivers(write);
  if (drivers.length > DRIVERS_MAXIMUM) return [tooMany('status.devices', drivers.length, DRIVERS_MAXIMUM)];
  const errors: FieldError[] = [];
  const isOnNode = isOnAllocatedNode(write);
  const verbs = [...(isOnNode ? ['associated-node'] : []), 'arbitrary-node'].map((each) => `${each}:${write.verb}`);
  for (const name of drivers) {
    let first: string | undefined;
    let isAllowed = false;
    for (const verb of verbs) {
      const refusal = await refusalOf({ ...attributesOf(write), verb, subresource: 'driver', name }, authorizer);
      isAllowed ||= refusal === undefined;
      first ??= refusal;
      if (isAllowed) break;
    }
    if (isAllowed) continue;
    const what = `changing status.devices requires resource="resourceclaims/driver", verb="[${verbs.join(' ')}]"`;
    errors.push(forbiddenField('status.devices', `${what} permission: ${first}`));
  }
  return errors;
}

/** Those of entries that are added, changed or removed. The entry of a device that the claim gives up goes with it. */
function changedDrivers({ status, before }: StatusWrite): readonly string[] {
  const allocated = ({ allocation }: ClaimStatus) => new Set((allocation?.devices?.results ?? []).map(deviceKey));
  const [had, has] = [allocated(before), allocated(status)];
  const old = new Map((before.devices ?? []).map((device) => [entryKey(device), device]));
  const drivers = new Set<string>();
  for (const device of status.devices ?? []) {
    const known = old.get(entryKey(device));
    old.delete(entryKey(device));
    if (known === undefined || !semanticEqual(known, device, typeNamed(DEVICE_STATUS)))
      drivers.add(device.driver ?? '');
  }
  for (const device of old.values()) {
    const isGivenUp = had.has(deviceKey(device)) && !has.has(deviceKey(device));
    if (!isGivenUp) drivers.add(device.driver ?? '');
  }
  return [...drivers].toSorted();
}

type Device = Pick<AllocatedDeviceStatus, 'driver' | 'pool' | 'device'>;
const deviceKey = ({ driver, pool, device }: Device): string => JSON.stringify([driver, pool, device]);
const entryKey = (entry: AllocatedDeviceStatus): string => JSON.stringify([deviceKey(entry), entry.shareID ?? '']);

/** Whether the user is a service account whose pod runs on the only node of the allocation. */
function isOnAllocatedNode({ user, status }: StatusWrite): boolean {
  const terms = status.allocation?.nodeSelector?.nodeSelectorTerms ?? [];
  const [term] = terms;
  const [field] = term?.matchFields ?? [];
  const isOne = terms.length === 1 && (term?.matchExpressions ?? []).length === 0 && term?.matchFields?.length === 1;
  if (!isOne || field?.key !== 'metadata.name' || field.operator !== 'In' || field.values?.length !== 1) return false;
  const nodes = user.extra[NODE_KEY] ?? [];
  return parseServiceAccountUser(user.name) !== undefined && nodes.length === 1 && nodes[0] === field.values[0];
}

function attributesOf({ user, verb, namespace }: StatusWrite): Omit<AuthorizationAttributes, 'subresource' | 'name'> {
  const resource = { group: GROUP, version: 'v1', resource: 'resourceclaims' };
  return { user, verb, namespace, ...resource, isResourceRequest: true, path: '' };
}

async function refusalOf(attributes: AuthorizationAttributes, authorizer: Authorizer): Promise<string | undefined> {
  const decision = await authorizer.authorize(attributes);
  return decision.allowed ? undefined : forbiddenRequest(attributes, decision.reason).message;
}

import { joinMessages } from '@binnacle/apimachinery/errors';
import { asKind } from '@binnacle/apimachinery/meta';
import { claimName, migrationOf } from '@binnacle/api/pods';
import type { TokenRequest } from '@binnacle/api/types/authentication-v1';
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeSpec,
  Pod,
  Volume,
} from '@binnacle/api/types/core-v1';
import type { CSIDriver } from '@binnacle/api/types/storage-v1';
import { StatusError } from '@binnacle/apimachinery/status';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { UserInfo } from '../../../authentication/index.js';
import type { AdmissionAttributes } from '../../plugin.js';
import { missing, type Verdict } from './verdict.js';

/** Reads the volumes that pods mount, and their CSI drivers. */
export interface NodePodSource {
  pod(namespace: string, name: string): Awaitable<Readonly<Pod> | undefined>;
  persistentVolumeClaim(namespace: string, name: string): Awaitable<Readonly<PersistentVolumeClaim> | undefined>;
  persistentVolume(name: string): Awaitable<Readonly<PersistentVolume> | undefined>;
  csiDriver(name: string): Awaitable<Readonly<CSIDriver> | undefined>;
}

export interface AudienceAuthorizer {
  /** Whether the user may request tokens of this service account for an audience that no pod uses. */
  mayRequestAudience(
    user: UserInfo,
    audience: string,
    account: { readonly namespace: string; readonly name: string },
  ): Promise<boolean>;
}

/** A node may request tokens only for its own pods, with audiences that these pods use. */
export async function checkTokenRequest(
  attributes: AdmissionAttributes,
  nodeName: string,
  source: NodePodSource,
  authorizer: AudienceAuthorizer,
): Promise<Verdict> {
  const { operation, subresource, namespace, object } = attributes;
  if (operation !== 'CREATE' || subresource !== 'token') return undefined;
  const { boundObjectRef, audiences = [] } = asKind<TokenRequest>(object)?.spec ?? {};
  const { apiVersion, kind, name = '', uid = '' } = boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || name === '') return 'node requested token not bound to a pod';
  if (uid === '') return 'node requested token with a pod binding without a uid';
  const pod = await source.pod(namespace, name);
  if (pod === undefined) throw missing('pod', name);
  if (uid !== pod.metadata?.uid) {
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  }
  if (pod.spec?.nodeName !== nodeName) return 'node requested token bound to a pod scheduled on a different node';
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
  return checkAudience(audiences[0] ?? '', pod);

  async function checkAudience(audience: string, of: Readonly<Pod>): Promise<Verdict> {
    const problems: string[] = [];
    for (const volume of of.spec?.volumes ?? []) {
      try {
        if (projects(volume, audience) || (await isAskedByDriver(volume, of, audience))) return undefined;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        problems.push(error.message);
      }
    }
    const shown = JSON.stringify(audience);
    if (problems.length > 0) return `error validating audience ${shown}: ${joinMessages(problems)}`;
    const account = { namespace, name: attributes.name };
    if (await authorizer.mayRequestAudience(attributes.user, audience, account)) return undefined;
    return `audience ${shown} not found in pod spec volume, ${attributes.user.name} is not authorized to request tokens for this audience`;
  }

  /** A CSI driver may ask the kubelet for tokens with which it mounts volumes. */
  async function isAskedByDriver(volume: Volume, of: Readonly<Pod>, audience: string): Promise<boolean> {
    const claim = claimName(of, volume);
    const driverName = claim === undefined ? driverOf(volume) : await driverOfClaim(claim);
    if (driverName === '') return false;
    const driver = await source.csiDriver(driverName);
    if (driver === undefined) throw missing('csidriver.storage.k8s.io', driverName);
    return (driver.spec?.tokenRequests ?? []).some((each) => (each.audience ?? '') === audience);
  }

  async function driverOfClaim(claim: string): Promise<string> {
    const found = await source.persistentVolumeClaim(namespace, claim);
    if (found === undefined) throw missing('persistentvolumeclaim', claim);
    const volumeName = found.spec?.volumeName ?? '';
    const volume = await source.persistentVolume(volumeName);
    if (volume === undefined) throw missing('persistentvolume', volumeName);
    return driverOf(volume.spec ?? {});
  }
}

function projects(volume: Volume, audience: string): boolean {
  return (volume.projected?.sources ?? []).some(
    ({ serviceAccountToken }) => serviceAccountToken !== undefined && (serviceAccountToken.audience ?? '') === audience,
  );
}

/** The CSI driver of a volume source, or the driver that replaces its in-tree type. */
function driverOf(source: Readonly<Partial<Volume> | Partial<PersistentVolumeSpec>>): string {
  return source.csi?.driver ?? migrationOf(source)?.driver ?? '';
}

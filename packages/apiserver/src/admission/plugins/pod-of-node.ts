import { typeNamed } from '@binnacle/api/table';
import { asKind } from '@binnacle/apimachinery/meta';
import type { Node, Pod } from '@binnacle/api/types/core-v1';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { AdmissionAttributes } from '../plugin.js';
import { refusal } from '../refuse.js';
import type { NodeSource } from './pod-topology-labels.js';

/** The old and new versions of a pod on a node whose spec an update changes; undefined for any other update. */
export function changedPodOf(
  attributes: AdmissionAttributes,
): { readonly pod: Readonly<Pod>; readonly old: Readonly<Pod> } | undefined {
  const { resource, object, oldObject } = attributes;
  if (resource.group !== '' || resource.resource !== 'pods') return undefined;
  const pod = asKind<Pod>(object);
  const old = asKind<Pod>(oldObject);
  if (!pod?.spec?.nodeName || old === undefined) return undefined;
  if (semanticEqual(pod.spec, old.spec, typeNamed('io.k8s.api.core.v1.PodSpec'))) return undefined;
  return { pod, old };
}

/** The node of a pod. Throws 403 when the node does not exist. */
export async function nodeOf(
  attributes: AdmissionAttributes,
  { spec }: Readonly<Pod>,
  source: NodeSource,
): Promise<Readonly<Node>> {
  const name = spec?.nodeName ?? '';
  const node = await source.node(name);
  if (node === undefined) throw refusal(attributes, `node ${JSON.stringify(name)} not found`);
  return node;
}

import type { EndpointAddress, EndpointPort, EndpointSubset, ObjectReference } from '@binnacle/client/kinds/core/v1';
import type { EndpointPort as SlicePort } from '@binnacle/client/kinds/discovery/v1';

/**
 * The texts that upstream hashes to order ports and subsets: its Go values as `k8s.io/utils/dump.ForHash` prints them. A missing field and an empty one
 * have the same text unless Go has a pointer there, so texts also serve to compare.
 */
export function slicePortText({ name, protocol, port, appProtocol }: SlicePort): string {
  const fields = [
    `Name:${pointer('string', name)}`,
    `Protocol:${pointer('v1.Protocol', protocol)}`,
    `Port:${pointer('int32', port)}`,
    `AppProtocol:${pointer('string', appProtocol)}`,
  ];
  return `(v1.EndpointPort){${fields.join(' ')}}`;
}

export function subsetPortText(port: EndpointPort): string {
  return `(v1.EndpointPort)${portFields(port)}`;
}

export function subsetText(subset: EndpointSubset): string {
  return [...subsetPieces(subset)].join('');
}

/** The text of a subset in short pieces. The whole may have megabytes. */
export function* subsetPieces({ addresses, notReadyAddresses, ports }: EndpointSubset): Generator<string> {
  yield '(v1.EndpointSubset){Addresses:';
  yield* list('v1.EndpointAddress', addresses, addressFields);
  yield ' NotReadyAddresses:';
  yield* list('v1.EndpointAddress', notReadyAddresses, addressFields);
  yield ' Ports:';
  yield* list('v1.EndpointPort', ports, portFields);
  yield '}';
}

function portFields({ name = '', port, protocol = 'TCP', appProtocol }: EndpointPort): string {
  const text = pointer('string', appProtocol);
  return `{Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol} AppProtocol:${text}}`;
}

function addressFields({ ip, hostname = '', nodeName, targetRef }: EndpointAddress): string {
  const reference = targetRef === undefined ? '<nil>' : referenceFields(targetRef);
  const node = pointer('string', nodeName);
  return `{IP:(string)${ip} Hostname:(string)${hostname} NodeName:${node} TargetRef:(*v1.ObjectReference)${reference}}`;
}

function referenceFields(reference: ObjectReference): string {
  const { kind = '', namespace = '', name = '', uid = '' } = reference;
  const { apiVersion = '', resourceVersion = '', fieldPath = '' } = reference;
  return (
    `{Kind:(string)${kind} Namespace:(string)${namespace} Name:(string)${name} UID:(types.UID)${uid}` +
    ` APIVersion:(string)${apiVersion} ResourceVersion:(string)${resourceVersion} FieldPath:(string)${fieldPath}}`
  );
}

function* list<T>(type: string, items: readonly T[] | undefined, text: (item: T) => string): Generator<string> {
  yield `([]${type})`;
  for (const [index, item] of (items ?? []).entries()) yield `${index === 0 ? '[' : ' '}${text(item)}`;
  yield (items ?? []).length === 0 ? '<nil>' : ']';
}

function pointer(type: string, value: string | number | undefined): string {
  return `(*${type})${value ?? '<nil>'}`;
}

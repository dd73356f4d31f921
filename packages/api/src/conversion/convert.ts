import type { JsonObject } from '@binnacle/apimachinery/json';
import { formatGroupVersion, type GroupVersionKind } from '@binnacle/apimachinery/meta';
import { autoscalerToV1, autoscalerToV2 } from './autoscaler.js';
import { definitionToV1 } from './definition.js';
import { coreEventToEvents, eventsEventToCore } from './event.js';
import { claimToExact, claimToFlat, sliceToBasic, sliceToFlat, templateToExact, templateToFlat } from './resource.js';

/** No conversion between the two versions is known. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
  readonly from: GroupVersionKind;
  readonly to: GroupVersionKind;

  constructor(from: GroupVersionKind, to: GroupVersionKind) {
    super(`${describe(from)} cannot be converted to ${describe(to)}`);
    this.from = from;
    this.to = to;
  }
}

function describe(kind: GroupVersionKind): string {
  return `${formatGroupVersion(kind)} ${kind.kind}`;
}

type Conversion = (object: JsonObject) => JsonObject;

const unchanged: Conversion = (object) => object;
const conversions = new Map<string, Conversion>();

/** Registers that `kind` has the same shape in all of these versions. */
function equal(kind: string, versions: readonly string[]): void {
  for (const from of versions) for (const to of versions) conversions.set(keyOf(kind, from, to), unchanged);
}

/** Registers that `kind` has one shape in `left` and another in `right`. */
function between(kind: string, left: readonly string[], right: readonly string[], there: Conversion, back: Conversion) {
  equal(kind, left);
  equal(kind, right);
  for (const a of left) {
    for (const b of right) {
      conversions.set(keyOf(kind, a, b), there);
      conversions.set(keyOf(kind, b, a), back);
    }
  }
}

/** Registers that `kind` is read in `from` and never written in it. */
function oneWay(kind: string, from: string, to: string, there: Conversion): void {
  conversions.set(keyOf(kind, from, to), there);
}

function keyOf(kind: string, from: string, to: string): string {
  return `${kind} ${from} ${to}`;
}

const policies = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `admissionregistration.k8s.io/${version}`);
const network = ['networking.k8s.io/v1', 'networking.k8s.io/v1beta1'];
const devices = ['resource.k8s.io/v1', 'resource.k8s.io/v1beta2'];
const oldDevices = ['resource.k8s.io/v1beta1'];

between('HorizontalPodAutoscaler', ['autoscaling/v2'], ['autoscaling/v1'], autoscalerToV1, autoscalerToV2);
oneWay('CustomResourceDefinition', 'apiextensions.k8s.io/v1beta1', 'apiextensions.k8s.io/v1', definitionToV1);
between('Event', ['v1'], ['events.k8s.io/v1'], coreEventToEvents, eventsEventToCore);
between('ResourceClaim', devices, oldDevices, claimToFlat, claimToExact);
between('ResourceClaimTemplate', devices, oldDevices, templateToFlat, templateToExact);
between('ResourceSlice', devices, oldDevices, sliceToBasic, sliceToFlat);
equal('DeviceClass', [...devices, ...oldDevices]);
equal('DeviceTaintRule', ['resource.k8s.io/v1beta2', 'resource.k8s.io/v1alpha3']);
equal('ClusterTrustBundle', ['certificates.k8s.io/v1beta1', 'certificates.k8s.io/v1alpha1']);
equal('IPAddress', network);
equal('ServiceCIDR', network);
equal('VolumeAttributesClass', ['storage.k8s.io/v1', 'storage.k8s.io/v1beta1']);
equal('MutatingAdmissionPolicy', policies);
equal('MutatingAdmissionPolicyBinding', policies);
equal('LeaseCandidate', ['coordination.k8s.io/v1beta1', 'coordination.k8s.io/v1alpha2']);

function conversionOf(from: GroupVersionKind, to: GroupVersionKind): Conversion | undefined {
  if (from.kind !== to.kind) return undefined;
  const source = formatGroupVersion(from);
  const target = formatGroupVersion(to);
  return source === target ? unchanged : conversions.get(keyOf(from.kind, source, target));
}

export function canConvert(from: GroupVersionKind, to: GroupVersionKind): boolean {
  return conversionOf(from, to) !== undefined;
}

/**
 * Converts the object to another version. Does not change `object`; the result may share parts with it. Throws a {@link
 * ConversionError} if no conversion is known.
 */
export function convert(object: JsonObject, from: GroupVersionKind, to: GroupVersionKind): JsonObject {
  const conversion = conversionOf(from, to);
  if (conversion === undefined) throw new ConversionError(from, to);
  const apiVersion = formatGroupVersion(to);
  const converted = conversion(object);
  return converted['apiVersion'] === apiVersion ? converted : { ...converted, apiVersion };
}

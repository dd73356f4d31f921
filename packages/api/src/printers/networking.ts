import type { JsonValue } from '@binnacle/apimachinery/json';
import { formatLabelSelector } from '@binnacle/apimachinery/labels';
import { formatGroupResource } from '@binnacle/apimachinery/meta';
import type {
  Ingress,
  IngressClass,
  IngressRule,
  IPAddress,
  NetworkPolicy,
  ServiceCIDR,
} from '../generated/types/networking-v1.js';
import { ageColumn, nameColumn, text } from './column.js';
import { loadBalancerAddresses } from './format.js';
import { ageOf, nameOf, type PrintContext, printer, type PrinterEntry } from './printer.js';

function printIngress(ingress: Ingress, context: PrintContext): JsonValue[] {
  const { spec, status } = ingress;
  return [
    nameOf(ingress),
    spec?.ingressClassName ?? '<none>',
    formatHosts(spec?.rules ?? []),
    loadBalancerAddresses(status?.loadBalancer?.ingress),
    (spec?.tls ?? []).length > 0 ? '80, 443' : '80',
    ageOf(ingress, context),
  ];
}

/** Shows at most three hosts. The count of the rest includes rules without a host, like upstream. */
function formatHosts(rules: readonly IngressRule[]): string {
  const shown: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (shown.length === 3) more = true;
    else if (host) shown.push(host);
  }
  const hosts = shown.join(',') || '*';
  return more ? `${hosts} + ${rules.length - 3} more...` : hosts;
}

function printIngressClass(object: IngressClass, context: PrintContext): JsonValue[] {
  const parameters = object.spec?.parameters;
  const group = parameters?.apiGroup;
  return [
    nameOf(object),
    object.spec?.controller ?? '',
    parameters
      ? `${parameters.kind}${group === undefined || group === null ? '' : `.${group}`}/${parameters.name}`
      : '<none>',
    ageOf(object, context),
  ];
}

/** The row has one cell more than there are columns, the age. Upstream's row has it too. */
function printIPAddress(address: IPAddress, context: PrintContext): JsonValue[] {
  const parent = address.spec?.parentRef;
  let reference = '<none>';
  if (parent) {
    const resource = formatGroupResource({ group: parent.group ?? '', resource: parent.resource ?? '' }).toLowerCase();
    reference = [resource, ...(parent.namespace ? [parent.namespace] : []), parent.name ?? ''].join('/');
  }
  return [nameOf(address), reference, ageOf(address, context)];
}

export const networkingPrinters: readonly PrinterEntry[] = [
  printer(
    'networking.k8s.io/Ingress',
    [
      nameColumn,
      text('Class', 'Ingress class that serves it.'),
      text('Hosts', 'Hosts whose requests it routes.'),
      text('Address', 'Addresses at which it is reached.'),
      text('Ports', 'Ports that are open.'),
      ageColumn,
    ],
    printIngress,
  ),
  printer(
    'networking.k8s.io/IngressClass',
    [
      nameColumn,
      text('Controller', 'Who serves ingresses of this class.'),
      text('Parameters', 'Object with further settings.'),
      ageColumn,
    ],
    printIngressClass,
  ),
  printer(
    'networking.k8s.io/NetworkPolicy',
    [nameColumn, text('Pod-Selector', 'Labels of the pods that it governs.'), ageColumn],
    (policy: NetworkPolicy, context) => [
      nameOf(policy),
      formatLabelSelector(policy.spec?.podSelector ?? {}),
      ageOf(policy, context),
    ],
  ),
  printer(
    'networking.k8s.io/ServiceCIDR',
    [nameColumn, text('CIDRs', 'Ranges that service addresses are taken from.'), ageColumn],
    (range: ServiceCIDR, context) => [nameOf(range), (range.spec?.cidrs ?? []).join(','), ageOf(range, context)],
  ),
  printer(
    'networking.k8s.io/IPAddress',
    [nameColumn, text('ParentRef', 'Object that the address belongs to.')],
    printIPAddress,
  ),
];

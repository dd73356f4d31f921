import type { JsonValue } from '@binnacle/apimachinery/json';
import type { CertificateSigningRequest } from '../generated/types/certificates-v1.js';
import type { ClusterTrustBundle, PodCertificateRequest } from '../generated/types/certificates-v1beta1.js';
import { ageColumn, nameColumn, text } from './column.js';
import { humanDuration } from '@binnacle/apimachinery/time';
import { ageOf, nameOf, type PrintContext, printer, type PrinterEntry } from './printer.js';

const group = 'certificates.k8s.io';
const signerColumn = text('SignerName', 'Who is asked to sign, or vouches.');
const podCertificateStates = ['Issued', 'Denied', 'Failed'];

function printRequest(request: CertificateSigningRequest, context: PrintContext): JsonValue[] {
  const { spec } = request;
  const seconds = spec?.expirationSeconds;
  return [
    nameOf(request),
    ageOf(request, context),
    spec?.signerName || '<none>',
    spec?.username ?? '',
    seconds === undefined || seconds === null ? '<none>' : humanDuration(seconds * 1000),
    requestStatus(request),
  ];
}

function requestStatus({ status }: CertificateSigningRequest): string {
  const has = (type: string) => (status?.conditions ?? []).some((condition) => condition.type === type);
  const words = [has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'];
  if (has('Failed')) words.push('Failed');
  if (status?.certificate) words.push('Issued');
  return words.join(',');
}

function printPodCertificateRequest({ spec, status, ...request }: PodCertificateRequest): JsonValue[] {
  const conditions = status?.conditions ?? [];
  const state = conditions.findLast((condition) => podCertificateStates.includes(condition.type))?.type ?? 'Pending';
  return [
    nameOf(request),
    spec?.podName ?? '',
    spec?.serviceAccountName ?? '',
    spec?.nodeName ?? '',
    spec?.signerName ?? '',
    state,
  ];
}

export const certificatePrinters: readonly PrinterEntry[] = [
  printer(
    `${group}/CertificateSigningRequest`,
    [
      nameColumn,
      ageColumn,
      signerColumn,
      text('Requestor', 'Who asks for it.'),
      text('RequestedDuration', 'How long the certificate should be valid.'),
      text('Condition', 'What was decided, and whether it was issued.'),
    ],
    printRequest,
  ),
  printer(`${group}/ClusterTrustBundle`, [nameColumn, signerColumn], (bundle: ClusterTrustBundle) => [
    nameOf(bundle),
    bundle.spec?.signerName || '<none>',
  ]),
  printer(
    `${group}/PodCertificateRequest`,
    [
      nameColumn,
      text('PodName', 'Pod that it is for.'),
      text('ServiceAccountName', 'Service account of the pod.'),
      text('NodeName', 'Node of the pod.'),
      signerColumn,
      text('State', 'Pending, Issued, Denied or Failed.'),
    ],
    printPodCertificateRequest,
  ),
];

import { AuditEvent } from './event.js';
import type { EventFields } from './event-fields.js';

const RECEIVED_AT = Date.UTC(2026, 0, 2, 3, 4, 5);

type GivenFields = Partial<Omit<EventFields, 'annotations'>> & {
  readonly annotations?: Readonly<Record<string, string>>;
};

const annotationsOf = (values: Readonly<Record<string, string>>): EventFields['annotations'] =>
  new Map(Object.entries(values).map(([key, value]) => [key, { value, level: 'Metadata' }]));

/** A create of a pod, changed as given. */
export function eventOf({ annotations = {}, ...fields }: GivenFields): AuditEvent {
  return new AuditEvent({
    level: 'Metadata',
    auditId: 'id',
    stage: 'ResponseComplete',
    requestUri: '/api/v1/namespaces/shop/pods',
    verb: 'create',
    user: { username: 'admin', uid: '', groups: ['system:masters'], extra: {} },
    impersonatedUser: undefined,
    impersonationConstraint: undefined,
    sourceIps: ['127.0.0.1'],
    userAgent: '',
    objectRef: {
      resource: 'pods',
      namespace: 'shop',
      name: '',
      uid: '',
      apiGroup: '',
      apiVersion: 'v1',
      resourceVersion: '',
      subresource: '',
    },
    responseStatus: undefined,
    requestObject: undefined,
    responseObject: undefined,
    receivedAt: RECEIVED_AT,
    stageAt: RECEIVED_AT + 6,
    ...fields,
    annotations: annotationsOf(annotations),
  });
}

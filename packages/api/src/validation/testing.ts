import { type FieldError, fieldErrorDetail } from '@binnacle/apimachinery/status';
import type { Container, PodSpec, PodTemplateSpec } from '../generated/types/core-v1.js';

/** `field: detail` of each error, for tests. */
export function texts(errors: readonly FieldError[]): string[] {
  return errors.map((error) => `${error.field}: ${fieldErrorDetail(error)}`);
}

/** A container as defaulting leaves it. */
export function container(fields: Partial<Container> = {}): Container {
  return {
    name: 'c',
    image: 'i',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'Always',
    resources: {},
    ...fields,
  };
}

export function podSpec(fields: Partial<PodSpec> = {}): PodSpec {
  return {
    containers: [container()],
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    terminationGracePeriodSeconds: 30,
    ...fields,
  };
}

export function template(fields: Partial<PodSpec> = {}): PodTemplateSpec {
  return { metadata: { labels: { a: 'b' } }, spec: podSpec(fields) };
}

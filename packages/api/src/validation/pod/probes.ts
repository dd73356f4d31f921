import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import {
  errorsOfEach,
  invalidFor,
  validateHttpHeaderName,
  validateNonNegative,
} from '@binnacle/apimachinery/validation';
import type {
  ExecAction,
  HTTPGetAction,
  HTTPHeader,
  Lifecycle,
  Probe,
  SleepAction,
} from '../../generated/types/core-v1.js';
import { list, optionalOneOf, requireText } from '../common.js';
import { validatePortReference } from './ports.js';

// Upstream: `validateHandler`, `validateProbe`, `validateLifecycle`.

interface Handlers {
  readonly exec?: ExecAction | undefined;
  readonly httpGet?: HTTPGetAction | undefined;
  readonly tcpSocket?: { port: number | string } | undefined;
  readonly grpc?: { port: number } | undefined;
  readonly sleep?: SleepAction | undefined;
}

type GracePeriod = number | bigint | undefined;

/** Exactly one handler is allowed; only the first is validated. */
function validateHandlers(handlers: Handlers, gracePeriod: GracePeriod, field: string): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handlers;
  const rules: [string, unknown, () => FieldError[]][] = [
    ['exec', exec, () => (list(exec?.command).length === 0 ? [required(`${field}.exec.command`, '')] : [])],
    ['httpGet', httpGet, () => (httpGet ? validateHttpGet(httpGet, `${field}.httpGet`) : [])],
    ['tcpSocket', tcpSocket, () => validatePortReference(tcpSocket?.port, `${field}.tcpSocket.port`)],
    ['grpc', grpc, () => validatePortReference(grpc?.port, `${field}.grpc.port`)],
    ['sleep', sleep, () => (sleep ? validateSleep(sleep, gracePeriod, `${field}.sleep`) : [])],
  ];
  const present = rules.filter(([, handler]) => handler !== undefined);
  if (present.length === 0) return [required(field, 'must specify a handler type')];
  return present.flatMap(([name, , rule], index) =>
    index === 0 ? rule() : [forbiddenField(`${field}.${name}`, 'may not specify more than 1 handler type')],
  );
}

function validateHttpGet(action: HTTPGetAction, field: string): FieldError[] {
  return [
    ...requireText(action.path, `${field}.path`),
    ...validatePortReference(action.port, `${field}.port`),
    ...optionalOneOf(action.scheme ?? '', ['HTTP', 'HTTPS'], `${field}.scheme`),
    ...errorsOfEach(action.httpHeaders, ({ name = '' }: Partial<HTTPHeader>) =>
      invalidFor(`${field}.httpHeaders`, name, validateHttpHeaderName(name)),
    ),
  ];
}

function validateSleep({ seconds = 0 }: Partial<SleepAction>, gracePeriod: GracePeriod, field: string): FieldError[] {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  return [invalidValue(field, seconds, detail)];
}

function validateProbe(probe: Probe, gracePeriod: GracePeriod, field: string): FieldError[] {
  const { terminationGracePeriodSeconds: grace } = probe;
  return [
    ...validateHandlers(probe, gracePeriod, field),
    ...validateNonNegative(probe.initialDelaySeconds, `${field}.initialDelaySeconds`),
    ...validateNonNegative(probe.timeoutSeconds, `${field}.timeoutSeconds`),
    ...validateNonNegative(probe.periodSeconds, `${field}.periodSeconds`),
    ...validateNonNegative(probe.successThreshold, `${field}.successThreshold`),
    ...validateNonNegative(probe.failureThreshold, `${field}.failureThreshold`),
    ...(grace !== undefined && grace <= 0
      ? [invalidValue(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')]
      : []),
  ];
}

export interface Probed {
  readonly lifecycle?: Lifecycle | undefined;
  readonly livenessProbe?: Probe | undefined;
  readonly readinessProbe?: Probe | undefined;
  readonly startupProbe?: Probe | undefined;
}

/** All hooks and probes of one container. */
export function validateProbes(container: Probed, gracePeriod: GracePeriod, path: string): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  return [
    ...(lifecycle?.postStart ? validateHandlers(lifecycle.postStart, gracePeriod, `${path}.lifecycle.postStart`) : []),
    ...(lifecycle?.preStop ? validateHandlers(lifecycle.preStop, gracePeriod, `${path}.lifecycle.preStop`) : []),
    ...(livenessProbe ? onceSuccessful(livenessProbe, gracePeriod, `${path}.livenessProbe`) : []),
    ...(readinessProbe ? readiness(readinessProbe, gracePeriod, `${path}.readinessProbe`) : []),
    ...(startupProbe ? onceSuccessful(startupProbe, gracePeriod, `${path}.startupProbe`) : []),
  ];
}

function onceSuccessful(probe: Probe, gracePeriod: GracePeriod, field: string): FieldError[] {
  const errors = validateProbe(probe, gracePeriod, field);
  const threshold = probe.successThreshold ?? 0;
  if (threshold !== 1) errors.push(invalidValue(`${field}.successThreshold`, threshold, 'must be 1'));
  return errors;
}

function readiness(probe: Probe, gracePeriod: GracePeriod, field: string): FieldError[] {
  const errors = validateProbe(probe, gracePeriod, field);
  if (probe.terminationGracePeriodSeconds !== undefined) {
    const detail = 'must not be set for readinessProbes';
    const path = `${field}.terminationGracePeriodSeconds`;
    errors.push(invalidValue(path, probe.terminationGracePeriodSeconds, detail));
  }
  return errors;
}

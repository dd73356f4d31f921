import type { Pod } from '@binnacle/api/types/core-v1';
import { badRequest, quoteGo } from '@binnacle/apimachinery/status';
import { parseBoolean } from '../request/index.js';

/** Path and query of a kubelet. */
export interface KubeletTarget {
  readonly path: string;
  readonly query: string;
}

/** What a kubelet streams over an upgraded connection. */
export type StreamKind = 'exec' | 'attach' | 'portforward';

/** The streams of an `exec` or `attach`. */
export interface StandardStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

const LARGEST_PORT = 65_535;

export function standardStreamsIn(query: URLSearchParams): StandardStreams {
  const isSet = (name: string): boolean => parseBoolean(query, name) ?? false;
  return { stdin: isSet('stdin'), stdout: isSet('stdout'), stderr: isSet('stderr'), tty: isSet('tty') };
}

/** Where a kubelet serves a stream. Throws for an invalid container or port. Upstream: `streamLocation`, `PortForwardLocation`. */
export function streamTarget(kind: StreamKind, pod: Pod, query: URLSearchParams): KubeletTarget {
  const { namespace = '', name = '' } = pod.metadata ?? {};
  if (kind === 'portforward') {
    return portForwardTarget({ namespace, name }, portsIn(query));
  }
  const container = containerOf(pod, query.get('container') ?? '');
  const { stdin, stdout, stderr, tty } = standardStreamsIn(query);
  const switches = { error: stderr, input: stdin, output: stdout, tty };
  const commands = kind === 'exec' ? query.getAll('command') : [];
  const parameters = [
    ...commands.map((command) => ['command', command] as const),
    ...Object.entries(switches).flatMap(([key, isOn]) => (isOn ? [[key, '1'] as const] : [])),
  ];
  return { path: `/${kind}/${namespace}/${name}/${container}`, query: encode(parameters) };
}

/** Where a kubelet forwards ports of a pod. */
export function portForwardTarget(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  ports: readonly number[],
): KubeletTarget {
  const parameters = ports.length === 0 ? {} : { port: ports.join(',') };
  return { path: `/portForward/${namespace}/${name}`, query: encode(Object.entries(parameters)) };
}

/** The named container, or the only one. Throws when it does not exist, or none is named. Upstream: `validateContainer`. */
export function containerOf({ metadata, spec }: Pod, container: string): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const names = [initContainers, containers, ephemeralContainers].flat().map(({ name }) => name);
  const pod = metadata?.name ?? '';
  if (container !== '') {
    if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${pod}`);
    return container;
  }
  const [first] = containers;
  if (first !== undefined && containers.length === 1) return first.name;
  const choice = containers.length === 0 ? '' : `, choose one of: [${names.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${pod}${choice}`);
}

/** Keys are in order. Upstream: Go's `url.Values.Encode`. */
export function encode(parameters: readonly (readonly [key: string, value: string])[]): string {
  return new URLSearchParams(parameters.map(([key, value]): [string, string] => [key, value])).toString();
}

/** Upstream: `Convert_Slice_string_To_Slice_int32`. */
function portsIn(query: URLSearchParams): readonly number[] {
  return query
    .getAll('ports')
    .flatMap((list) => list.split(','))
    .map((text) => {
      const port = Number(text);
      if (/^[0-9]+$/.test(text) && port <= LARGEST_PORT) return port;
      const reason = /^[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
      throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${quoteGo(text)}: ${reason}`);
    });
}

import { encodeJsonInSteps, type JsonObject, type JsonValue, parseJsonInSteps } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { finish } from '@binnacle/apimachinery/work';
import { readBody, type Transport } from '@binnacle/client/transport';
import {
  type Extender,
  MAX_NODE_SCORE,
  type NodeState,
  type PodFacts,
  type Victims,
  waitFor,
  type WaitingSteps,
} from '../framework/index.js';
import { readScores, readVerdict, readVictims, throwReportedError } from './answers.js';
import type { ExtenderConfiguration } from './extender-configuration.js';

/** Upstream: `extenderv1.MaxExtenderPriority`. */
const MAX_EXTENDER_SCORE = 10;
/** Room for 5,000 nodes. */
const LONGEST_ANSWER = 64 * 1024 * 1024;
/** An answer repeats nodes of the question, and gives reasons. */
const ANSWER_FACTOR = 8;
const SHORT_ANSWER = 2 * 1024 * 1024;

/** Sends questions as JSON to an extender. Upstream: kubernetes `pkg/scheduler/extender.go`. */
export function httpExtender(configuration: ExtenderConfiguration, transport: Transport): Extender {
  const { filterVerb, prioritizeVerb, preemptVerb, bindVerb, urlPrefix, managedResources, weight } = configuration;
  const managed = new Set(managedResources);
  const ask = (verb: string, question: JsonObject) => askInSteps({ configuration, transport }, verb, question);
  return {
    name: urlPrefix,
    isIgnorable: configuration.isIgnorable,
    isInterested: (pod) => managed.size === 0 || resourcesOf(pod).some((name) => managed.has(name)),
    ...(filterVerb !== '' && {
      *filter(pod, nodes) {
        return readVerdict(yield* ask(filterVerb, aboutNodes(pod, nodes, configuration)), nodes, urlPrefix);
      },
    }),
    ...(prioritizeVerb !== '' && {
      *prioritize(pod, nodes) {
        const scores = yield* readScores(yield* ask(prioritizeVerb, aboutNodes(pod, nodes, configuration)));
        const factor = weight * (MAX_NODE_SCORE / MAX_EXTENDER_SCORE);
        return new Map([...scores].map(([name, score]) => [name, score * factor]));
      },
    }),
    ...(preemptVerb !== '' && {
      *preempt(pod, victims, snapshot) {
        return readVictims(yield* ask(preemptVerb, aboutVictims(pod, victims, configuration)), snapshot, urlPrefix);
      },
    }),
    ...(bindVerb !== '' && {
      bind: async ({ name, namespace, uid }, nodeName, signal) => {
        const question = { PodName: name, PodNamespace: namespace, PodUID: uid, Node: nodeName };
        const body = finish(encodeJsonInSteps(question));
        throwReportedError(finish(parseAnswer(await send({ configuration, transport }, bindVerb, body, signal))));
      },
    }),
  } satisfies Extender;
}

interface Line {
  readonly configuration: ExtenderConfiguration;
  readonly transport: Transport;
}

function* askInSteps(line: Line, verb: string, question: JsonObject): WaitingSteps<JsonValue> {
  const body = yield* encodeJsonInSteps(question);
  return yield* parseAnswer(yield* waitFor(send(line, verb, body)));
}

function* parseAnswer(body: Uint8Array): Generator<undefined, JsonValue, undefined> {
  return (yield* parseJsonInSteps(body)).value;
}

/** Upstream's words for failures. */
async function send(
  { configuration, transport }: Line,
  verb: string,
  body: Uint8Array,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const { urlPrefix, timeoutMs: timeout } = configuration;
  const url = `${urlPrefix.replace(/\/+$/, '')}/${verb}`;
  const headers = { 'content-type': 'application/json' };
  try {
    const response = await transport.send({ method: 'POST', path: `/${verb}`, headers, body }, { timeout, signal });
    if (response.status === 200) return await readBody(response, longestAnswer(body));
    response.cancel();
    throw new AnsweredError(`failed ${verb} with extender at URL ${url}, code ${response.status}`);
  } catch (error) {
    if (error instanceof AnsweredError || signal?.aborted === true) throw error;
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const reason = isLate
      ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
      : String(error);
    throw new Error(`Post ${JSON.stringify(url)}: ${reason}`, { cause: error });
  }
}

function longestAnswer({ length }: Uint8Array): number {
  return Math.min(LONGEST_ANSWER, SHORT_ANSWER + length * ANSWER_FACTOR);
}

/** The extender has answered with a failure. */
class AnsweredError extends Error {}

function aboutNodes(
  { pod }: PodFacts,
  nodes: readonly NodeState[],
  { nodeCacheCapable }: ExtenderConfiguration,
): JsonObject {
  return nodeCacheCapable
    ? { Pod: asJson(pod), Nodes: null, NodeNames: nodes.map(({ name }) => name) }
    : { Pod: asJson(pod), Nodes: { metadata: {}, items: nodes.map(({ node }) => asJson(node)) }, NodeNames: null };
}

function aboutVictims(
  { pod }: PodFacts,
  victims: ReadonlyMap<string, Victims>,
  { nodeCacheCapable }: ExtenderConfiguration,
): JsonObject {
  const byNode = Object.fromEntries(
    [...victims].map(([name, { pods, violations }]) => [
      name,
      {
        Pods: pods.map((each) => (nodeCacheCapable ? { UID: each.uid } : asJson(each.pod))),
        NumPDBViolations: violations,
      },
    ]),
  );
  return nodeCacheCapable
    ? { Pod: asJson(pod), NodeNameToVictims: null, NodeNameToMetaVictims: byNode }
    : { Pod: asJson(pod), NodeNameToVictims: byNode, NodeNameToMetaVictims: null };
}

/** The names of all resources that its containers request or limit. */
function resourcesOf({ spec }: PodFacts): string[] {
  return [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ resources }) => [
    ...Object.keys(resources?.requests ?? {}),
    ...Object.keys(resources?.limits ?? {}),
  ]);
}

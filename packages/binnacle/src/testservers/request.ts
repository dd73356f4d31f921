import { isObject, type JsonValue } from '@binnacle/apimachinery/json';

type FieldType = 'text' | 'texts' | 'port' | 'object';

interface Field {
  readonly type: FieldType;
  readonly optional?: true;
}

const server = { type: 'text' } as const;

/** The fields of each call. */
const calls = {
  start: { flags: { type: 'texts', optional: true }, definitions: { type: 'texts', optional: true } },
  fork: { server },
  stop: { server },
  kubeconfigFile: { server },
  installDefinitions: { server, paths: { type: 'texts' } },
  installWebhooks: {
    server,
    paths: { type: 'texts' },
    host: { type: 'text', optional: true },
    port: { type: 'port', optional: true },
  },
  snapshot: { server },
  reset: { server, snapshot: { type: 'text' } },
  addFault: { server, rule: { type: 'object' } },
  faultHits: { server, fault: { type: 'text' } },
  removeFault: { server, fault: { type: 'text' } },
  log: { server },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Field>>>>;

export type CallName = keyof typeof calls;

interface ValueOf {
  readonly text: string;
  readonly texts: readonly string[];
  readonly port: number;
  readonly object: Readonly<Record<string, JsonValue>>;
}

type FieldsOf<T> = {
  readonly [K in keyof T]: T[K] extends { readonly type: infer Type extends FieldType }
    ? ValueOf[Type] | (T[K] extends { readonly optional: true } ? undefined : never)
    : never;
};

/** A checked call: its name, and its fields. */
export type Call = { readonly [K in CallName]: { readonly call: K } & FieldsOf<(typeof calls)[K]> }[CallName];

export interface Request {
  readonly id: number | string;
  readonly call: Call;
}

/** A line that is not a request. `id`: that of the line, when it has one. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly id: number | string | null;

  constructor(id: number | string | null, message: string) {
    super(message);
    this.id = id;
  }
}

const expected: Readonly<Record<FieldType, string>> = {
  text: 'a string',
  texts: 'a list of strings',
  port: 'a number from 0 to 65535',
  object: 'an object',
};

const isText = (value: unknown): value is string => typeof value === 'string';

const holds: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  text: isText,
  texts: (value) => Array.isArray(value) && value.every(isText),
  port: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65535,
  object: isObject,
};

/** Parses and checks one line. Throws a {@link RequestError}. */
export function readRequest(line: string): Request {
  const { id, call, ...fields } = objectOf(line);
  if (typeof id !== 'number' && !isText(id)) throw new RequestError(null, 'id: must be a number or a string');
  if (!isText(call) || !Object.hasOwn(calls, call)) {
    throw new RequestError(id, `call: must be one of ${Object.keys(calls).join(', ')}`);
  }
  const known: Readonly<Record<string, Field>> = calls[call as CallName];
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(known, name)) throw new RequestError(id, `${call} has no field ${JSON.stringify(name)}`);
  }
  for (const [name, { type, optional = false }] of Object.entries(known)) {
    const isRight = fields[name] === undefined ? optional : holds[type](fields[name]);
    if (!isRight) throw new RequestError(id, `${name}: must be ${expected[type]}`);
  }
  return { id, call: { call, ...fields } as Call };
}

function objectOf(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // Answered below.
  }
  throw new RequestError(null, 'a request is a JSON object on one line');
}

import { messageOf } from '@binnacle/apimachinery/errors';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type JsonObject } from '@binnacle/apimachinery/json';
import { numberAt, objectAt, textAt } from '../../model/index.js';
import { later } from '../browser.js';
import { RefusedError } from '../connection.js';
import { useApp } from '../context.js';
import { readItems } from '../object/read-object.js';
import { count } from '../texts.js';
import { FaultForm } from './fault-form.js';

const PATH = '/debug/faults';
const INTERVAL_MS = 2000;

/** Rules that make requests fail on purpose, of a server that allows it. */
export function Faults() {
  const { connection } = useApp();
  const [rules, setRules] = useState<readonly JsonObject[] | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const read = useCallback(async () => {
    try {
      setRules(await readItems(connection, PATH, new AbortController().signal));
      setError(undefined);
    } catch (reason) {
      setError(reason);
    }
  }, [connection]);
  useEffect(() => {
    let hasEnded = false;
    const repeat = async () => {
      await read();
      if (!hasEnded) later(INTERVAL_MS, () => hasEnded || void repeat());
    };
    void repeat();
    return () => (hasEnded = true);
  }, [read]);
  const act = async (method: 'POST' | 'DELETE', path: string, body?: object) => {
    try {
      await connection.change(method, path, body);
      await read();
    } catch (reason) {
      setError(reason);
    }
  };
  if (rules === undefined)
    return <div class="empty">{error === undefined ? 'Reading …' : <Unavailable error={error} />}</div>;
  return (
    <section class="fill faults" aria-label="Faults">
      <p class="dim">
        A fault acts on the requests of all clients: of control loops, and of this page, too. It stays until it has
        acted as often as it should, you remove it, or the server stops. This list always works.
      </p>
      <FaultForm onAdd={(rule) => void act('POST', PATH, rule)} />
      {error !== undefined && (
        <p class="refusal" role="alert">
          {messageOf(error)}
        </p>
      )}
      <Rules rules={rules} onRemove={(path) => void act('DELETE', path)} />
    </section>
  );
}

interface RulesProps {
  readonly rules: readonly JsonObject[];
  readonly onRemove: (path: string) => void;
}

function Rules({ rules, onRemove }: RulesProps) {
  return (
    <>
      <h2>{rules.length === 0 ? 'No faults' : count(rules.length, 'fault')}</h2>
      <ul class="fault-rules">
        {rules.map((rule) => (
          <li key={textAt(rule, 'id')}>
            <span>{ruleText(rule)}</span>
            <span class="dim">has acted {count(numberAt(rule, 'hits'), 'time')}</span>
            <button type="button" class="button" onClick={() => onRemove(`${PATH}/${textAt(rule, 'id')}`)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      {rules.length > 1 && (
        <button type="button" class="button" onClick={() => onRemove(PATH)}>
          Remove all
        </button>
      )}
    </>
  );
}

function Unavailable({ error }: { readonly error: unknown }) {
  if (error instanceof RefusedError && error.status === 404) {
    return (
      <>
        This server injects no faults. Start a Binnacle server with <code>--fault-injection</code>, which is only for
        tests.
      </>
    );
  }
  return <>{messageOf(error)}</>;
}

function ruleText(rule: JsonObject): string {
  const match = objectAt(rule, 'match');
  const subject = [textAt(match, 'verb') || 'all requests', 'of', textAt(match, 'resource') || 'all resources'];
  const place = textAt(match, 'namespace') === '' ? [] : ['in', textAt(match, 'namespace')];
  const times = numberAt(rule, 'times');
  return [
    ...subject,
    ...place,
    `→ ${actionText(objectAt(rule, 'action'))}`,
    ...(times > 0 ? [`, at most ${count(times, 'time')}`] : []),
  ].join(' ');
}

function actionText(action: JsonObject): string {
  switch (textAt(action, 'type')) {
    case 'answer':
      return `answer ${numberAt(action, 'code')}`;
    case 'delay':
      return `wait ${numberAt(action, 'milliseconds')} ms`;
    case 'drop':
      return 'close the connection';
    case 'cutWatch':
      return 'end the watch';
    case 'holdCache':
      return 'hold the cache';
    default:
      return textAt(action, 'type');
  }
}

import type { JsonObject } from '@binnacle/apimachinery/json';
import { useState } from 'preact/hooks';

/** What may happen to a request. */
const ACTIONS: readonly { readonly title: string; readonly action: JsonObject }[] = [
  { title: 'answer 500 Internal Server Error', action: { type: 'answer', code: 500 } },
  { title: 'answer 503 Service Unavailable', action: { type: 'answer', code: 503 } },
  { title: 'answer 429 Too Many Requests', action: { type: 'answer', code: 429 } },
  { title: 'answer 409 Conflict', action: { type: 'answer', code: 409 } },
  { title: 'wait 2 seconds', action: { type: 'delay', milliseconds: 2000 } },
  { title: 'close the connection', action: { type: 'drop' } },
  { title: 'end watches', action: { type: 'cutWatch' } },
  { title: 'break off watches', action: { type: 'cutWatch', how: 'break' } },
];
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** Makes a rule of what a person has chosen. */
export function FaultForm({ onAdd }: { readonly onAdd: (rule: JsonObject) => void }) {
  const [verb, setVerb] = useState('');
  const [resource, setResource] = useState('');
  const [namespace, setNamespace] = useState('');
  const [action, setAction] = useState(0);
  const [times, setTimes] = useState('1');
  const add = (event: Event) => {
    event.preventDefault();
    const match = Object.entries({ verb, resource: resource.trim(), namespace: namespace.trim() });
    const number = Number(times);
    onAdd({
      match: Object.fromEntries(match.filter(([, value]) => value !== '')),
      ...(number > 0 ? { times: number } : {}),
      action: ACTIONS[action]?.action ?? {},
    });
  };
  return (
    <form class="fault-form" onSubmit={add}>
      <label>
        Requests
        <select value={verb} onChange={(event) => setVerb(event.currentTarget.value)}>
          <option value="">all</option>
          {VERBS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <TextField label="Resource" placeholder="all, or deployments" value={resource} onChange={setResource} />
      <TextField label="Namespace" placeholder="all" value={namespace} onChange={setNamespace} />
      <label>
        What happens
        <select value={action} onChange={(event) => setAction(Number(event.currentTarget.value))}>
          {ACTIONS.map(({ title }, index) => (
            <option key={title} value={index}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        At most (times)
        <input
          type="number"
          min="1"
          placeholder="no limit"
          value={times}
          onInput={(event) => setTimes(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button strong">
        Switch on
      </button>
    </form>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TextField({ label, placeholder, value, onChange }: TextFieldProps) {
  return (
    <label>
      {label}
      <input placeholder={placeholder} value={value} onInput={(event) => onChange(event.currentTarget.value)} />
    </label>
  );
}

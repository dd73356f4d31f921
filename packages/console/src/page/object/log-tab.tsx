import { messageOf } from '@binnacle/apimachinery/errors';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { type KindInfo, LogLines, MOST_LINES, objectAt, objectPath, objectsAt, textAt } from '../../model/index.js';
import type { Selected } from '../app.js';
import { later } from '../browser.js';
import { useApp } from '../context.js';

const TAIL_LINES = '500';
/** The server ends the log after this many. */
const LIMIT_BYTES = String(32 * 1024 * 1024);
/** How often new lines are shown. */
const SHOWN_MS = 200;

interface LogTabProps {
  readonly selected: Selected;
  readonly kind: KindInfo;
  readonly object: JsonObject;
}

/** The log of a container of a pod, as it grows. */
export function LogTab({ selected, kind, object }: LogTabProps) {
  const app = useApp();
  const spec = objectAt(object, 'spec');
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) =>
    objectsAt(spec, list).map((container) => textAt(container, 'name')),
  );
  const [chosen, setChosen] = useState('');
  if (app.past.moment.value !== undefined) {
    return <p class="dim">A log shows only the present. Press l to go back to now.</p>;
  }
  const container = containers.includes(chosen) ? chosen : (containers[0] ?? '');
  const query = new URLSearchParams({ container, follow: 'true', tailLines: TAIL_LINES, limitBytes: LIMIT_BYTES });
  const path = `${objectPath(kind, selected.namespace, selected.name)}/log?${query.toString()}`;
  return (
    <div class="log">
      {containers.length > 1 && (
        <label>
          Container{' '}
          <select value={container} onChange={(event) => setChosen(event.currentTarget.value)}>
            {containers.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <Log key={path} path={path} />
    </div>
  );
}

function Log({ path }: { readonly path: string }) {
  const { text, dropped, end } = useLog(path);
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const { current } = box;
    if (current !== null && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [text]);
  const onScroll = () => {
    const { current } = box;
    if (current === null) return;
    isAtEnd.current = current.scrollTop + current.clientHeight >= current.scrollHeight - 4;
  };
  return (
    <>
      {dropped > 0 && <p class="dim">The last {MOST_LINES.toLocaleString('en')} lines:</p>}
      {/* It scrolls, so keys must reach it. */}
      <pre class="log-text" ref={box} tabIndex={0} role="log" aria-label="Log" aria-live="off" onScroll={onScroll}>
        {text}
      </pre>
      <p class="dim" role="status">
        {end}
      </p>
    </>
  );
}

/** `end`: why no more lines come; empty: more may come. */
function useLog(path: string) {
  const { connection } = useApp();
  const [shown, setShown] = useState({ text: '', dropped: 0, end: '' });
  useEffect(() => {
    const abort = new AbortController();
    const lines = new LogLines();
    let isWaiting = false;
    const show = (end = '') => {
      if (!abort.signal.aborted) setShown({ text: lines.text(), dropped: lines.dropped, end });
    };
    const read = async () => {
      for await (const piece of connection.follow(path, abort.signal)) {
        lines.add(piece);
        if (isWaiting) continue;
        isWaiting = true;
        later(SHOWN_MS, () => {
          isWaiting = false;
          show();
        });
      }
    };
    read().then(
      () => later(SHOWN_MS, () => show('The log has ended.')),
      (reason: unknown) => later(SHOWN_MS, () => show(messageOf(reason))),
    );
    return () => abort.abort();
  }, [connection, path]);
  return shown;
}

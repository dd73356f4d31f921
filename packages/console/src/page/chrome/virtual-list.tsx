import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { scrollTo, windowOf } from '../../model/index.js';

export interface VirtualListProps {
  /** For screen readers. */
  readonly label: string;
  readonly count: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** The row that the keyboard acts on; -1: none. */
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onOpen: (index: number) => void;
  /** Other keys on the active row. Returns whether the key did something. */
  readonly onKey?: (key: string, index: number) => boolean;
  readonly idOf: (index: number) => string;
  readonly render: (index: number) => ComponentChildren;
  /** Called when the list leaves its top or comes back. */
  readonly onTop?: (isAtTop: boolean) => void;
  readonly role?: 'listbox' | 'tree';
  readonly attributesOf?: (index: number) => Readonly<Record<string, string | number | boolean>>;
}

/** A list of any length that renders only the rows on the screen. Arrow keys, j and k, Home, End, page keys and Enter act on it. */
export function VirtualList(props: VirtualListProps) {
  const { label, count, rowHeight, active, role = 'listbox' } = props;
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ scrolled: 0, height: 800 });
  useLayoutEffect(() => measured(box.current, setPlace), []);
  useLayoutEffect(() => {
    const list = box.current;
    if (list === null || active < 0) return;
    list.scrollTop = scrollTo(active, list.scrollTop, list.clientHeight, rowHeight);
  }, [active, rowHeight]);
  const { first, end, offset, total } = windowOf(place.scrolled, place.height, rowHeight, count);
  const scrolled = (event: { readonly currentTarget: HTMLDivElement }) => {
    const { scrollTop, clientHeight } = event.currentTarget;
    setPlace({ scrolled: scrollTop, height: clientHeight });
    props.onTop?.(scrollTop < rowHeight);
  };
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  const activeId = active >= first && active < end ? { 'aria-activedescendant': props.idOf(active) } : {};
  return (
    <div
      class="list"
      ref={box}
      role={role}
      aria-label={label}
      tabIndex={0}
      {...activeId}
      onScroll={scrolled}
      onKeyDown={(event) => onKeyDown(event, props, place.height)}
    >
      <div class="list-space" role="presentation" style={{ height: `${total}px` }}>
        <div class="list-rows" role="presentation" style={{ transform: `translateY(${offset}px)` }}>
          {rows.map((index) => (
            <ListRow key={props.idOf(index)} index={index} list={props} />
          ))}
        </div>
      </div>
    </div>
  );
}

function ListRow({ index, list }: { readonly index: number; readonly list: VirtualListProps }) {
  const { count, active, rowHeight, role = 'listbox' } = list;
  return (
    <div
      id={list.idOf(index)}
      class={index === active ? 'row active' : 'row'}
      role={role === 'tree' ? 'treeitem' : 'option'}
      aria-selected={index === active}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ height: `${rowHeight}px` }}
      onClick={() => {
        list.onActive(index);
        list.onOpen(index);
      }}
      {...list.attributesOf?.(index)}
    >
      {list.render(index)}
    </div>
  );
}

function measured(
  list: HTMLDivElement | null,
  set: (place: { scrolled: number; height: number }) => void,
): (() => void) | undefined {
  if (list === null) return undefined;
  const measure = () => set({ scrolled: list.scrollTop, height: list.clientHeight });
  const observer = new ResizeObserver(measure);
  observer.observe(list);
  measure();
  return () => observer.disconnect();
}

function onKeyDown(event: KeyboardEvent, props: VirtualListProps, height: number): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { active, count, rowHeight } = props;
  const page = Math.max(1, Math.floor(height / rowHeight) - 1);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    j: active + 1,
    ArrowUp: active - 1,
    k: active - 1,
    Home: 0,
    End: count - 1,
    PageDown: active + page,
    PageUp: active - page,
  };
  const next = moves[event.key];
  if (next !== undefined) props.onActive(Math.max(0, Math.min(count - 1, next)));
  else if (event.key === 'Enter' && active >= 0) props.onOpen(active);
  else if (props.onKey?.(event.key, active) !== true) return;
  event.preventDefault();
  event.stopPropagation();
}

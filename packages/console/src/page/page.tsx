import { useEffect } from 'preact/hooks';
import type { ViewName } from './app.js';
import { ForkDialog } from './chrome/fork-dialog.js';
import { Help } from './chrome/help.js';
import { Search } from './chrome/search.js';
import { SideBar } from './chrome/side-bar.js';
import { TimeBar } from './chrome/time-bar.js';
import { TopBar } from './chrome/top-bar.js';
import { useApp } from './context.js';
import { pressed, VIEWS } from './keys.js';
import { ObjectPanel } from './object/object-panel.js';
import { Changes } from './views/changes.js';
import { Compare } from './views/compare.js';
import { Faults } from './views/faults.js';
import { Load } from './views/load.js';
import { Nodes } from './views/nodes.js';
import { Objects } from './views/objects.js';
import { Workloads } from './views/workloads.js';

const COMPONENTS: Readonly<Record<ViewName, () => preact.JSX.Element>> = {
  workloads: Workloads,
  changes: Changes,
  objects: Objects,
  nodes: Nodes,
  load: Load,
  compare: Compare,
  faults: Faults,
};

/** The whole page. */
export function Page() {
  const app = useApp();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (pressed(app, event)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [app]);
  const name = app.view.value;
  const View = COMPONENTS[name];
  const view = VIEWS.find((each) => each.name === name);
  const classes = ['page'];
  if (app.past.moment.value !== undefined) classes.push('in-past');
  if (app.past.isLoading.value) classes.push('loading');
  if (app.selected.value !== undefined) classes.push('with-panel');
  return (
    <div class={classes.join(' ')}>
      <TopBar />
      <SideBar />
      <main aria-label={view?.title}>
        <div class="view-head">
          <h1>{view?.title}</h1>
          <span class="dim">{view?.hint}</span>
        </div>
        <View />
      </main>
      <ObjectPanel />
      <TimeBar />
      {app.overlay.value === 'help' && <Help />}
      {app.overlay.value === 'search' && <Search />}
      {app.overlay.value === 'fork' && <ForkDialog />}
    </div>
  );
}

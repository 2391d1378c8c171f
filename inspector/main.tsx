/**
 * The inspector: a page that shows the bank. It is a client like any other: it calls the control plane, v2, v1 and the
 * stream with the project's own client. A screen is a file in `screens/` with a default export, and a line in `screens.ts`.
 */

import type { ComponentType } from 'preact';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Route, Router, Switch } from 'wouter-preact';
import { BASE, nameIn, sandboxName } from './bank.ts';
import { Layout } from './layout.tsx';
import { Empty, Failure } from './parts.tsx';
import { OTHER_SCREENS, SCREENS, type Screen } from './screens.ts';
import { followSandbox } from './stream.ts';
import { trace, useTraceLocation } from './trace.ts';

/** A screen, loaded when it is first shown. */
function Lazy({ screen, id }: { screen: Pick<Screen, 'load' | 'path'>; id?: string }) {
  const [part, setPart] = useState<{ of: string; show: ComponentType<{ id?: string }> }>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    screen.load().then((loaded) => setPart({ of: screen.path, show: loaded.default }), setError);
  }, [screen.path]);
  if (error !== undefined) return <Failure error={error} retry={() => location.reload()} />;
  if (part === undefined || part.of !== screen.path) return <p class="soft">Loading …</p>;
  const Show = part.show;
  return <Show key={id ?? ''} {...(id !== undefined && { id })} />;
}

function App() {
  return (
    <Router
      {...(trace === null
        ? { base: `${BASE}/${encodeURIComponent(sandboxName.value)}` }
        : { hook: useTraceLocation })}
    >
      <Layout>
        <Switch>
          {[...SCREENS, ...OTHER_SCREENS].map((screen) => (
            <Route path={screen.path === '/' ? '/' : `${screen.path}/:id?`} key={screen.path}>
              {({ id }: { id?: string }) => <Lazy screen={screen} {...(id !== undefined && { id })} />}
            </Route>
          ))}
          <Route>
            <Empty>There is no such page.</Empty>
          </Route>
        </Switch>
      </Layout>
    </Router>
  );
}

if (trace === null && location.pathname.replace(/\/$/, '') === BASE) {
  history.replaceState(null, '', `${BASE}/${encodeURIComponent(nameIn(location.pathname))}`);
}
if (trace === null) followSandbox();
const place = document.getElementById('page');
if (place !== null) render(<App />, place);

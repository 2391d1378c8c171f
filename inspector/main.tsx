/**
 * The inspector: a page that shows the bank. It calls the control plane, v2, v1 and the stream with the project's own
 * client. A screen is a file in `screens/` with a default export, and a line in `screens.ts`.
 */

import { render } from 'preact';
import { Route, Router, Switch } from 'wouter-preact';
import { BASE, nameIn, sandboxName } from './bank.ts';
import { Layout } from './layout.tsx';
import { Empty } from './parts.tsx';
import { OTHER_SCREENS, SCREENS } from './screens.ts';
import { followSandbox } from './stream.ts';
import { trace, useTraceLocation } from './trace.ts';

function App() {
  return (
    <Router
      {...(trace === null
        ? { base: `${BASE}/${encodeURIComponent(sandboxName.value)}` }
        : { hook: useTraceLocation })}
    >
      <Layout>
        <Switch>
          {[...SCREENS, ...OTHER_SCREENS].map(({ path, show: Show }) => (
            <Route path={path === '/' ? '/' : `${path}/:id?`} key={path}>
              {({ id }: { id?: string }) => <Show key={id ?? ''} {...(id !== undefined && { id })} />}
            </Route>
          ))}
          <Route>
            <Empty>This page does not exist.</Empty>
          </Route>
        </Switch>
      </Layout>
    </Router>
  );
}

if (trace === null && location.pathname.replace(/\/$/, '') === BASE) {
  history.replaceState(null, '', `${BASE}/${encodeURIComponent(nameIn(location.pathname))}`);
}
const place = document.getElementById('page');
if (place !== null) render(<App />, place);
// After the requests of the screen.
if (trace === null) followSandbox();

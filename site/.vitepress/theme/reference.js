// What the operations of a page of the reference share: the document of the running server, Swagger UI, the key, and
// which of them are open. Swagger UI is given one operation at a time: with a whole document it takes seconds.
import { withBase } from 'vitepress';
import { reactive, ref, watch } from 'vue';

export const REFERENCE = Symbol('reference');

const STREAM_MS = 2000;
/** The key of the sandbox that is always there, whose records stand in the examples. */
const DEFAULT_KEY = 'test_default';

// A stream of events has no end of its own: what came in its first seconds is shown.
async function fetchForAWhile(url, request) {
  const answer = await fetch(url, request);
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  const reader = answer.body.getReader();
  setTimeout(() => reader.cancel(), STREAM_MS);
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Response(text, answer);
    text += decoder.decode(value, { stream: true });
  }
}

const once = (make) => {
  let made;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};

/** Appends an element to the head; done when it is loaded. */
const append = (name, attributes) =>
  new Promise((done, fail) => {
    const element = Object.assign(document.createElement(name), attributes);
    element.onload = () => done();
    element.onerror = () => fail(new Error(`${attributes.src ?? attributes.href} was not loaded.`));
    document.head.append(element);
  });

const swagger = once(async () => {
  // Its sheet comes before ours, which changes it.
  const sheet = document.createElement('link');
  Object.assign(sheet, { rel: 'stylesheet', href: withBase('/swagger-ui.css') });
  document.head.prepend(sheet);
  await append('script', { src: withBase('/swagger-ui-bundle.js') });
  return window.SwaggerUIBundle;
});

/** The document with one operation or event and what that refers to. */
function partOf(whole, { method, path }) {
  const isEvent = method === 'EVENT';
  const verb = isEvent ? 'post' : method.toLowerCase();
  const operation = (isEvent ? whole.webhooks : whole.paths)[path]?.[verb];
  if (operation === undefined) throw new Error('This bank does not serve it.');
  const components = { securitySchemes: whole.components.securitySchemes };
  const keep = (value) => {
    if (typeof value !== 'object' || value === null) return;
    for (const inner of Object.values(value)) keep(inner);
    const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref ?? '') ?? [];
    if (kind === undefined || components[kind]?.[name] !== undefined) return;
    components[kind] ??= {};
    components[kind][name] = whole.components[kind][name];
    keep(components[kind][name]);
  };
  keep(operation);
  return {
    ...whole,
    tags: [],
    paths: isEvent ? {} : { [path]: { [verb]: operation } },
    webhooks: isEvent ? { [path]: { [verb]: operation } } : {},
    components,
  };
}

/** Of Swagger UI's page only the operation: its name and group stand on ours. */
const onlyOperations = ({ React }) => ({
  components: {
    OnlyOperations({ getComponent, specSelectors }) {
      const hasEvents = Object.keys(specSelectors.specJson().get('webhooks')?.toJS() ?? {}).length > 0;
      return React.createElement(
        'div',
        { className: 'swagger-ui' },
        React.createElement(getComponent('SvgAssets')),
        React.createElement(getComponent(hasEvents ? 'Webhooks' : 'operations', true)),
      );
    },
  },
});

/** The reference of the document of this name. */
export function openReference(name) {
  const scheme = name === 'sandbox' ? 'control_token' : 'api_key';
  const key = ref(scheme === 'api_key' ? DEFAULT_KEY : '');
  const opened = reactive(new Set());
  const views = [];
  const authorize = (view) => {
    if (key.value !== '') view.preauthorizeApiKey(scheme, key.value);
  };
  watch(key, () => views.forEach(authorize));

  const whole = once(async () => {
    const answer = await fetch(`/openapi/${name}.json`);
    if (!answer.ok) throw new Error(`The document was answered with ${answer.status}.`);
    // The document names 127.0.0.1, which is another origin than the name by which a page may have been opened.
    return { ...(await answer.json()), servers: [{ url: window.location.origin }] };
  });

  return {
    scheme,
    key,
    opened,
    open: (id) => id !== '' && opened.add(id),
    toggle: (id) => opened.delete(id) || opened.add(id),
    /** Shows an operation in an element; done when it can be executed. */
    async show(domNode, operation) {
      const [SwaggerUI, all] = await Promise.all([swagger(), whole()]);
      const spec = partOf(all, operation);
      const view = await new Promise((done) => {
        const made = SwaggerUI({
          domNode,
          spec,
          docExpansion: 'full',
          layout: 'OnlyOperations',
          plugins: [onlyOperations],
          defaultModelExpandDepth: 2,
          displayRequestDuration: true,
          syntaxHighlight: { theme: 'tomorrow-night' },
          tryItOutEnabled: true,
          validatorUrl: null,
          requestInterceptor: (request) => Object.assign(request, { userFetch: fetchForAWhile }),
          onComplete: () => done(made),
        });
      });
      views.push(view);
      authorize(view);
      // A press while it still works out what the references lead to is lost.
      const where =
        operation.method === 'EVENT'
          ? ['webhooks', operation.path, 'post']
          : ['paths', operation.path, operation.method.toLowerCase()];
      const isReady = () => view.specSelectors.specResolvedSubtree(where) !== undefined;
      await new Promise((done) => {
        if (isReady()) return done();
        const stop = view.getStore().subscribe(() => {
          if (!isReady()) return;
          stop();
          done();
        });
      });
    },
  };
}

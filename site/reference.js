// The reference of one document, ready to be tried: the default sandbox's key is filled in.
const STREAM_MS = 2000;

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

const place = document.getElementById('reference');
const view = window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  syntaxHighlight: { theme: 'tomorrow-night' },
  validatorUrl: null,
  requestInterceptor: (request) => Object.assign(request, { userFetch: fetchForAWhile }),
  onComplete: () => view.preauthorizeApiKey('api_key', 'test_default'),
});

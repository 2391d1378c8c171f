// The script of an operation's page: the colour mode of the other pages, the last selected language, and the form
// that sends the request.
const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto';
const isDark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.classList.toggle('dark', isDark);

const LANGUAGE = 'sandbank-language';
/** An event stream does not end, so only its first seconds are shown. */
const STREAM_MS = 2000;

async function textOf(answer) {
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    setTimeout(() => reader.cancel(), STREAM_MS);
    for (let text = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
    }
  }
  if (type.includes('json')) return JSON.stringify(await answer.json(), null, 2);
  if (type.startsWith('text/')) return answer.text();
  const { size } = await answer.blob();
  return size === 0 ? '' : `${size} bytes of ${type}`;
}

function requestOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  let body;
  for (const field of form.querySelectorAll('[data-in]')) {
    const { name, value, files } = field;
    const place = field.dataset.in;
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === 'file') {
      body ??= new FormData();
      body.append(name, files[0] ?? new Blob());
    } else if (place === 'bytes') body = files[0];
    else if (value !== '' && place === 'query') query.set(name, value);
    else if (value !== '' && place === 'header') headers[name] = value;
    else if (value !== '' && place === 'body') {
      body = value;
      headers['content-type'] = 'application/json';
    }
  }
  const type = form.dataset.bodyType;
  if (type !== '' && !type.startsWith('multipart/')) headers['content-type'] = type;
  return { url: `${path}${query.size === 0 ? '' : `?${query}`}`, method: form.dataset.method, headers, body };
}

async function execute(form) {
  const output = form.querySelector('output');
  const { url, ...request } = requestOf(form);
  const start = performance.now();
  let lines;
  try {
    const answer = await fetch(url, request);
    const text = await textOf(answer);
    lines = [`${answer.status} ${answer.statusText} · ${Math.round(performance.now() - start)} ms`, text];
    const hint = answer.headers.get('x-sandbox-hint');
    if (hint !== null) lines.splice(1, 0, `Hint: ${hint}`);
  } catch (error) {
    lines = [`The request failed: ${error.message}`];
  }
  const shown = document.createElement('pre');
  shown.append(Object.assign(document.createElement('code'), { textContent: lines.join('\n') }));
  output.replaceChildren(shown);
  output.hidden = false;
}

document.addEventListener('DOMContentLoaded', () => {
  const last = localStorage.getItem(LANGUAGE);
  for (const input of document.querySelectorAll('.tabs input')) {
    if (input.value === last) input.checked = true;
    input.addEventListener('change', () => localStorage.setItem(LANGUAGE, input.value));
  }
  for (const form of document.querySelectorAll('form.execute')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void execute(form);
    });
  }
});

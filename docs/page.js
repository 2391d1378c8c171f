// The script of the pages: the colour mode, the search, the tabs, the copy buttons, the form that sends a request, and
// the filter of the register. Without it, the pages can be read and searched.
const root = document.documentElement;
const THEME = 'sandbank-theme';
const theme = localStorage.getItem(THEME);
if (theme !== null) root.classList.add(theme);
const isDark = () =>
  root.classList.contains('dark') ||
  (!root.classList.contains('light') && matchMedia('(prefers-color-scheme: dark)').matches);

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

const all = (selector, within = document) => [...within.querySelectorAll(selector)];

function switchTheme(button) {
  const name = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
  };
  name();
  button.hidden = false;
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark';
    root.classList.remove('light', 'dark');
    root.classList.add(next);
    localStorage.setItem(THEME, next);
    name();
  });
}

/** Tabs with the same names show the same language on all pages. */
function rememberTabs() {
  const inputs = all('.tabs input');
  const keyOf = ({ name }) => `sandbank-${name.replace(/-\d+$/, '')}`;
  for (const input of inputs) {
    input.checked ||= input.value === localStorage.getItem(keyOf(input));
    input.addEventListener('change', () => {
      localStorage.setItem(keyOf(input), input.value);
      for (const other of inputs) other.checked ||= other.value === input.value;
    });
  }
}

function copy(button) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
}

/** Shows the results below the field, and moves between them with the arrow keys. */
function search(form) {
  const field = form.querySelector('input');
  const results = form.querySelector('.results');
  let latest = '';
  const close = () => {
    results.hidden = true;
  };
  const show = async () => {
    const query = field.value.trim();
    latest = query;
    if (query === '') return close();
    const answer = await fetch(`${form.action}?${new URLSearchParams({ q: query })}`);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    // An answer to an earlier input may be late.
    if (query !== latest) return;
    results.replaceChildren(...page.querySelector('main .results').childNodes);
    results.hidden = false;
  };
  field.value = new URLSearchParams(location.search).get('q') ?? '';
  field.addEventListener('input', () => void show());
  results.addEventListener('click', close);
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null && !form.contains(relatedTarget)) close();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || results.hidden) return;
    event.preventDefault();
    const stops = [field, ...all('a', results)];
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
    const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (!isShortcut && (event.key !== '/' || isTyping)) return;
    event.preventDefault();
    field.focus();
  });
}

const SUBJECTS = {
  accounts: /\baccount(?!ing)/i,
  'cards and purchases': /\bcards?\b|\bmerchant/i,
  'holders and checks of identity': /\bholder|\bperson|\bbusiness|\bkyc|\bkyb|\bmember/i,
  'counterparties and contacts': /\bcounterpart|\bcontact/i,
  payments: /\bpayment|\btransfer|\btransaction|\bach\b|\bwire|\bcheck\b|\brtp\b|\bfednow\b/i,
  'webhooks and events': /\bwebhook|\bevent|\bdeliver/i,
  'requests and answers': /\bheader|\bidempotency|\berror|\blist\b|\bpage\b|\brequest/i,
};
const VERSIONS = ['v2', 'v1'];

/** Adds a form that filters the rows of the register by version, subject, evidence and words. */
function filterRegister(before) {
  const textOf = (row, column) => row.querySelector(`[data-of="${column}"]`)?.textContent.trim() ?? '';
  const rows = all('main tbody tr')
    .filter((row) => row.querySelector('[data-of="Decision"]') !== null)
    .map((element) => {
      const slug = textOf(element, 'Decision');
      const question = textOf(element, 'Question');
      return {
        element,
        slug,
        subject: `${slug.replaceAll('-', ' ')} ${question}`,
        // Each row names the operations that it is about.
        text: `${element.textContent} ${element.querySelector('a')?.dataset.operations ?? ''}`.toLowerCase(),
        // A recording is written after it.
        evidence: textOf(element, 'Evidence').split(',')[0],
      };
    });
  const form = document.createElement('form');
  form.className = 'row-filter';
  const add = (label, input) => {
    form.append(Object.assign(document.createElement('label'), { textContent: label }));
    form.lastChild.append(input);
    return input;
  };
  const select = (label, words) => {
    const input = add(label, document.createElement('select'));
    input.append(new Option('all', ''), ...words.map((word) => new Option(word)));
    return input;
  };
  const version = select('Version', VERSIONS);
  const subject = select('About', Object.keys(SUBJECTS));
  const evidence = select('Evidence', [...new Set(rows.map((row) => row.evidence))]);
  const words = add('Words', Object.assign(document.createElement('input'), { type: 'search' }));
  const count = document.createElement('output');
  form.append(count);
  // A row that names no version is about both.
  const isAbout = ({ slug, text }) => {
    const named = VERSIONS.filter((one) => slug.startsWith(one) || new RegExp(`\\b${one}\\b`).test(text));
    return named.length === 0 || named.includes(version.value);
  };
  const fits = (row) =>
    (version.value === '' || isAbout(row)) &&
    (subject.value === '' || SUBJECTS[subject.value].test(row.subject)) &&
    (evidence.value === '' || row.evidence === evidence.value) &&
    words.value
      .toLowerCase()
      .split(/\s+/)
      .every((word) => row.text.includes(word));
  const filter = () => {
    const shown = rows.filter((row) => {
      row.element.hidden = !fits(row);
      return !row.element.hidden;
    });
    count.textContent = `${shown.length} of ${rows.length} rows`;
    for (const table of new Set(rows.map(({ element }) => element.closest('.table')))) {
      table.hidden = all('tbody tr', table).every(({ hidden }) => hidden);
      if (table.previousElementSibling?.tagName === 'H2') table.previousElementSibling.hidden = table.hidden;
    }
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  before.before(form);
  filter();
}

document.addEventListener('DOMContentLoaded', () => {
  rememberTabs();
  for (const button of all('.theme')) switchTheme(button);
  for (const button of all('.copy')) copy(button);
  for (const form of all('form.search')) search(form);
  for (const form of all('form.execute')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void execute(form);
    });
  }
  const register = document.querySelector('.fidelity main h2');
  if (register !== null) filterRegister(register);
  // The menu shows the current page.
  document.querySelector('#menu [aria-current]')?.scrollIntoView({ block: 'nearest' });
});

/** Sends any operation of any interface, prefilled with its example or with a request of the journal. */
import { useEffect, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { apiKey, client, sendRequest } from '../bank.ts';
import { Codes } from '../code-box.tsx';
import { download } from '../export.ts';
import { ChoiceField, TextField } from '../fields.tsx';
import { addressOf, loadOperations, type Operation, type Version } from '../operations.ts';
import { Act, Box, Failure, Id, Json, Status } from '../parts.tsx';

/** The most common kinds of new records, each with its operation. */
const CREATE: readonly [title: string, version: Version, operation: string][] = [
  ['Holder', 'v2', 'v2_create_sub_account_holder'],
  ['Account', 'v2', 'v2_create_sub_account'],
  ['Card holder', 'v2', 'v2_create_card_holder'],
  ['Card', 'v2', 'v2_create_card'],
  ['Counterparty', 'v2', 'v2_create_counterparty'],
  ['Payment', 'v2', 'v2_originate_ach_pull'],
  ['Webhook', 'v2', 'v2_create_webhook'],
];
const VERSIONS: Readonly<Record<Version, string>> = { v2: 'v2', v1: 'v1', control: 'control plane' };
const versionOf = (text: string): Version => (text === 'v1' || text === 'control' ? text : 'v2');

export default function Send() {
  const [search, setSearch] = useSearchParams();
  const version = versionOf(search.get('version') ?? '');
  const from = search.get('from') ?? '';
  const [all, setAll] = useState<readonly Operation[]>([]);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    setAll([]);
    loadOperations(version).then(setAll, setError);
  }, [version]);
  const chosen = all.find(({ id }) => id === search.get('operation')) ?? all[0];
  const choose = (next: Record<string, string>): void => setSearch(new URLSearchParams(next));
  return (
    <>
      <h1>Send a request</h1>
      <ul class="create" aria-label="Create">
        {CREATE.map(([title, of, operation]) => (
          <li key={title}>
            <button type="button" onClick={() => choose({ version: of, operation })}>
              New {title.toLowerCase()}
            </button>
          </li>
        ))}
      </ul>
      <div class="form">
        <ChoiceField label="Interface" value={version} set={(of) => choose({ version: of })} all={VERSIONS} />
        <ChoiceField
          label="Operation"
          isWide
          value={chosen?.id ?? ''}
          set={(operation) => choose({ version, operation })}
          all={all.map(
            ({ id, summary, group, method, path }) =>
              [id, `${group === '' ? '' : `${group}: `}${summary} (${method} ${path})`] as const,
          )}
        />
      </div>
      {error !== undefined && <Failure error={error} />}
      {chosen !== undefined && <Form key={`${chosen.id} ${from}`} operation={chosen} from={from} />}
    </>
  );
}

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly id: string;
  readonly body: unknown;
  /** What is neither JSON nor text. */
  readonly file?: Blob;
  readonly path: string;
  readonly sent: unknown;
}

function Form({ operation, from }: { operation: Operation; from: string }) {
  const { method, parameters, fileType } = operation;
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(
      parameters
        .filter(({ in: place }) => place === 'path')
        .map(({ name, example }) => [name, String(example ?? '')]),
    ),
  );
  const [body, setBody] = useState(operation.body ?? '');
  const [file, setFile] = useState<File>();
  const [idempotencyKey, setIdempotencyKey] = useState('');
  const [answer, setAnswer] = useState<Answer>();
  const [note, setNote] = useState('');
  useEffect(() => {
    if (from === '') return;
    client.value.sandbox.retrieveRequest({ params: { id: from } }).then((request) => {
      setValues({ ...valuesIn(operation, request.path), ...(request.query as Record<string, string>) });
      if (request.request_body !== null) setBody(JSON.stringify(request.request_body, null, 2));
      setNote('The journal masks secrets and numbers: replace what is masked.');
    });
  }, [from]);
  const takesKey = /^(POST|PATCH)$/.test(method) && !operation.path.startsWith('/_sandbox');
  const parsed = (): unknown => (operation.body === null || body.trim() === '' ? null : JSON.parse(body));
  const send = async (): Promise<void> => {
    const path = addressOf(operation, values);
    const sent = parsed();
    const begun = performance.now();
    const given = fileType !== '' ? file : sent === null ? undefined : JSON.stringify(sent);
    const response = await sendRequest({ method, path, body: given, type: fileType, idempotencyKey });
    const isFile = !/json|text/.test(response.headers.get('content-type') ?? 'text');
    const content = await response.blob();
    setAnswer({
      status: response.status,
      ms: Math.round(performance.now() - begun),
      id: response.headers.get('x-request-id') ?? '',
      body: isFile ? undefined : jsonOf(await content.text()),
      ...(isFile && { file: content }),
      path,
      sent,
    });
  };
  return (
    <>
      <Box title={operation.summary}>
        <p>
          <code>
            {method} {operation.path}
          </code>
        </p>
        {note !== '' && <p class="notice">{note}</p>}
        <div class="form">
          {parameters.map(({ name, in: place, description }) => (
            <TextField
              key={name}
              label={place === 'query' ? `${name} (query)` : name}
              title={description ?? ''}
              value={values[name] ?? ''}
              set={(text) => setValues({ ...values, [name]: text.trim() })}
            />
          ))}
          {takesKey && (
            <TextField
              label="Idempotency key"
              placeholder="none"
              value={idempotencyKey}
              set={(text) => setIdempotencyKey(text.trim())}
            />
          )}
        </div>
        {operation.body !== null && (
          <label class="text">
            Body (JSON)
            <textarea
              rows={Math.min(24, body.split('\n').length + 1)}
              spellcheck={false}
              value={body}
              onInput={({ currentTarget }) => setBody(currentTarget.value)}
            />
          </label>
        )}
        {fileType !== '' && (
          <label class="text">
            Body ({fileType})
            <input type="file" onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])} />
          </label>
        )}
        <Act label="Send" kind="main" run={send} />
      </Box>
      {answer !== undefined && (
        <>
          <Box title="Response">
            <p ref={scrollTo}>
              <Status of={answer.status} /> {answer.ms} ms {answer.id !== '' && <Id id={answer.id} />}
            </p>
            {answer.file === undefined ? (
              <Json value={answer.body} />
            ) : (
              <DownloadOf file={answer.file} name={operation.id} />
            )}
          </Box>
          <Codes
            sent={{
              origin: location.origin,
              method,
              path: answer.path,
              key: apiKey.value,
              idempotencyKey,
              body: answer.sent,
              status: answer.status,
            }}
          />
        </>
      )}
    </>
  );
}

/** The endings of files that the bank sends. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/vnd.sqlite3': 'sqlite',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

function DownloadOf({ file, name }: { file: Blob; name: string }) {
  const fileName = `${name}.${ENDINGS[file.type] ?? 'bin'}`;
  return (
    <button type="button" onClick={() => download(fileName, file)}>
      Download {fileName} ({file.size} bytes)
    </button>
  );
}

/** Shows the response, which a long form leaves below the window. */
function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.length > 2_000 ? `${text.slice(0, 2_000)} …` : text;
  }
}

/** The parameters of a called path. */
function valuesIn({ path }: Operation, called: string): Record<string, string> {
  const parts = called.split('/');
  return Object.fromEntries(
    path.split('/').flatMap((part, at) => {
      const name = /^\{(.+)\}$/.exec(part)?.[1];
      return name === undefined ? [] : [[name, decodeURIComponent(parts[at] ?? '')]];
    }),
  );
}

/** Questions to the user, in a dialog that is accessible by keyboard and screen reader and can have fields. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly type?: string;
  readonly options?: readonly string[];
  readonly isRequired?: boolean;
}

interface Question {
  readonly title: string;
  readonly text?: ComponentChildren;
  readonly fields?: readonly Field[];
  /** The label of the button. */
  readonly action: string;
  readonly isDangerous?: boolean;
}

type Answers = Readonly<Record<string, string>>;

const open = signal<(Question & { answer: (given: Answers | null) => void }) | null>(null);

/** Asks a question; resolves with the entered values, or `null` if the user cancels. */
export function ask(question: Question): Promise<Answers | null> {
  open.peek()?.answer(null);
  return new Promise((resolve) => {
    open.value = {
      ...question,
      answer(given) {
        open.value = null;
        resolve(given);
      },
    };
  });
}

/** Shows the open dialog. */
export function Dialogs() {
  const question = open.value;
  return question === null ? null : <Dialog key={question.title} {...question} />;
}

function Dialog({
  title,
  text,
  fields = [],
  action,
  isDangerous = false,
  answer,
}: Question & { answer: (given: Answers | null) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  const submit = (event: Event): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    answer(Object.fromEntries(fields.map(({ name }) => [name, String(given.get(name) ?? '').trim()])));
  };
  return (
    <dialog ref={dialog} class="asking" aria-labelledby="question" onCancel={() => answer(null)}>
      <form onSubmit={submit}>
        <h2 id="question">{title}</h2>
        {text !== undefined && <div>{text}</div>}
        {fields.map(({ name, label, value = '', type = 'text', options, isRequired = true }) => (
          <div class="field" key={name}>
            <label for={`answer-${name}`}>{label}</label>
            {options === undefined ? (
              <input
                id={`answer-${name}`}
                name={name}
                type={type}
                defaultValue={value}
                required={isRequired}
              />
            ) : (
              <select id={`answer-${name}`} name={name} defaultValue={value}>
                {options.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            )}
          </div>
        ))}
        <div class="buttons">
          <button type="button" onClick={() => answer(null)}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? 'danger' : 'main'}>
            {action}
          </button>
        </div>
      </form>
    </dialog>
  );
}

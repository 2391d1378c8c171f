/** The fields of forms with their labels, and the filters of lists: fields whose values are in the address. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useFilters } from './filters.ts';

/** The choices: words, or titles by their values. */
type Choices =
  | readonly (string | readonly [value: string, title: string])[]
  | Readonly<Record<string, string>>;

const titled = (word: string) => [word, word.replaceAll('_', ' ')] as const;

interface Labelled {
  readonly label: string;
  /** Whether it fills the rest of the line. */
  readonly isWide?: boolean;
  /** Whether only screen readers get the label, because the value is clear by itself. */
  readonly isLabelHidden?: boolean;
  readonly title?: string;
}

/** A label above its control. */
export function Field({
  label,
  isWide = false,
  isLabelHidden = false,
  title = '',
  children,
}: Labelled & { children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is a child
    <label class={`field ${isWide ? 'wide' : ''}`} title={title}>
      {isLabelHidden ? <span class="hidden">{label}</span> : label}
      {children}
    </label>
  );
}

interface TextProps extends Labelled {
  readonly value: string;
  set(value: string): void;
  readonly type?: 'text' | 'url' | 'search';
  readonly inputMode?: 'numeric' | 'decimal';
  readonly placeholder?: string;
  /**
   * Whether the value applies only after Enter or when the field loses the focus, because a part of it has no
   * meaning.
   */
  readonly isLate?: boolean;
}

interface Typing {
  readonly currentTarget: HTMLInputElement;
}

export function TextField({
  value,
  set,
  type = 'text',
  inputMode = undefined,
  placeholder = '',
  isLate = false,
  ...of
}: TextProps) {
  // What is typed stays if the page is drawn again before it applies.
  const [typed, setTyped] = useState<string>();
  const keep = ({ currentTarget }: Typing): void => setTyped(currentTarget.value);
  const take = ({ currentTarget }: Typing): void => {
    setTyped(undefined);
    set(currentTarget.value);
  };
  return (
    <Field {...of}>
      <input
        type={type}
        inputMode={inputMode}
        value={typed ?? value}
        placeholder={placeholder}
        {...(isLate ? { onInput: keep, onChange: take } : { onInput: take })}
      />
    </Field>
  );
}

export function ChoiceField<T extends string>({
  value,
  set,
  all,
  ...of
}: Labelled & { readonly value: T; readonly all: Choices; set(value: NoInfer<T>): void }) {
  const entries = Array.isArray(all)
    ? (all as readonly (string | readonly [string, string])[]).map((one) =>
        typeof one === 'string' ? titled(one) : one,
      )
    : Object.entries(all);
  return (
    <Field {...of}>
      <select value={value} onChange={({ currentTarget }) => set(currentTarget.value as T)}>
        {entries.map(([one, title]) => (
          <option value={one} key={one}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** A filter with its name in the address: a choice, or a text that applies while the user types. */
export function Filter({
  name,
  all,
  placeholder = '',
  isLate = false,
  ...of
}: Labelled & {
  readonly name: string;
  readonly all?: Choices;
  readonly placeholder?: string;
  readonly isLate?: boolean;
}) {
  // Each choice is an entry in the history, but not each letter.
  const [search, choose] = useFilters({ replace: all === undefined && !isLate });
  const value = search.get(name) ?? '';
  const set = (next: string): void => choose(name, isLate ? next.trim() : next);
  return all === undefined ? (
    <TextField {...of} type="search" value={value} set={set} placeholder={placeholder} isLate={isLate} />
  ) : (
    <ChoiceField {...of} value={value} all={all} set={set} />
  );
}

/** The choices of a filter, after a choice for all. */
export const withAll = (words: readonly string[], all = 'all'): Choices => [['', all], ...words];

/** The keyboard shortcuts without a modifier, and the dialog that lists them. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export const isPaletteOpen = signal(false);

/** Keys without a modifier, which apply if no field has the focus. */
const SHORTCUTS: readonly [key: string, says: string][] = [
  ['/', 'Find'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['g', 'To the top of the page'],
  ['?', 'Shortcuts'],
];
export const isHelpOpen = signal(false);

export function shortcut(event: KeyboardEvent): void {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return;
  if (target.closest('input, select, textarea, dialog') !== null) return;
  if (key === '/') isPaletteOpen.value = true;
  else if (key === '?') isHelpOpen.value = true;
  else if (key === 'g') scrollTo({ top: 0 });
  else if (key === 'j' || key === 'k') {
    const row = target.closest<HTMLElement>('[data-at]');
    if (row === null) document.querySelector<HTMLElement>('.rows [data-at]')?.focus();
    else {
      const arrow = key === 'j' ? 'ArrowDown' : 'ArrowUp';
      row.dispatchEvent(new KeyboardEvent('keydown', { key: arrow, bubbles: true, cancelable: true }));
    }
  } else return;
  event.preventDefault();
}

/** The dialog that lists the shortcuts. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="asking"
      aria-labelledby="shortcuts"
      onClose={() => (isHelpOpen.value = false)}
    >
      <form method="dialog">
        <h2 id="shortcuts">Shortcuts</h2>
        <dl>
          {SHORTCUTS.map(([key, says]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{says}</dd>
            </div>
          ))}
        </dl>
        <div class="buttons">
          <button type="submit" class="main">
            Close
          </button>
        </div>
      </form>
    </dialog>
  );
}

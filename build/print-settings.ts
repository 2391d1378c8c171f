/**
 * Prints the table of settings in docs/settings.md from src/server/process/config.ts, between two marks. `node
 * build/print-settings.ts` writes it, `--check` only checks whether it is up to date.
 */
import { settingsTable } from '../src/server/process/config.ts';
import { type Page, print, table } from './page.ts';

const BEGIN = '<!-- settings: printed by build/print-settings.ts -->';
const END = '<!-- end of settings -->';

function printSettings(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin)
    throw new Error(`docs/settings.md does not contain the marks ${BEGIN} and ${END}`);
  const rows = settingsTable().map(({ environment, default: value, meaning }) => [
    `\`${environment}\``,
    value,
    // Otherwise a browser parses test_<name> as an element.
    meaning.replaceAll('<', '\\<'),
  ]);
  const settings = table(['Variable', 'Default', 'Meaning'], rows);
  return `${page.slice(0, begin)}${BEGIN}\n${settings}\n${page.slice(end)}`;
}

export const SETTINGS_PAGE: Page = {
  path: 'docs/settings.md',
  printedBy: 'node build/print-settings.ts',
  text: printSettings,
};

if (import.meta.main) print(SETTINGS_PAGE);

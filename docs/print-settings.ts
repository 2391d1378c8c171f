/**
 * Prints the table of settings in README.md from src/config.ts, between two marks. `node docs/print-settings.ts` writes
 * it, `--check` only says whether it is up to date.
 */
import { settingsTable } from '../src/config.ts';
import { type Page, print, table } from './page.ts';

const BEGIN = '<!-- settings: printed by docs/print-settings.ts -->';
const END = '<!-- end of settings -->';

function printSettings(readme: string): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`README.md has lost its marks ${BEGIN} and ${END}`);
  const rows = settingsTable().map(({ environment, default: value, meaning }) => [
    `\`${environment}\``,
    value,
    // Or a browser takes test_<name> for an element.
    meaning.replaceAll('<', '\\<'),
  ]);
  const settings = table(['Variable', 'Default', 'Meaning'], rows);
  return `${readme.slice(0, begin)}${BEGIN}\n${settings}\n${readme.slice(end)}`;
}

export const SETTINGS_PAGE: Page = {
  path: 'README.md',
  printedBy: 'node docs/print-settings.ts',
  text: printSettings,
};

if (import.meta.main) print(SETTINGS_PAGE);
